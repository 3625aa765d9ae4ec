import { preloadChoices } from '@/components/choice/choice';
import { ConfirmDialog } from '@/components/confirm-dialog/confirm-dialog';
import { LaterEntityTable } from '@/components/entity-list/later-entity-table';
import { EntityActionDialog } from '@/components/entity-menu/entity-action-dialog';
import { preloadEntityMenus } from '@/components/entity-menu/entity-menu';
import { preloadMenus } from '@/components/menu/menu';
import { Popup } from '@/components/popup/popup';
import { preloadTooltips } from '@/components/tooltip/tooltip';

// Modules that are loaded on demand are loaded before a test begins, as on a page that has been used for a while.
await Promise.all([
  preloadMenus(),
  preloadEntityMenus(),
  preloadChoices(),
  preloadTooltips(),
  LaterEntityTable.preload(),
  ConfirmDialog.preload(),
  EntityActionDialog.preload(),
  Popup.preload(),
]);
