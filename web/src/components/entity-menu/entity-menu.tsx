import { IconButton } from '@radix-ui/themes';
import { Ellipsis } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { Menu, menuPartsWith } from '@/components/menu/menu';
import { shownLater } from '@/lib/shown-later';
import { entityMenu as t } from '@/messages/entity-menu';
import type { Asking, EntityActions } from './actions';
import { EntityActionDialog } from './entity-action-dialog';
import type { EntityMenuItems } from './entity-menu-items';

/** The entries have an icon each, so they are loaded with the parts of the menu. */
const Items = shownLater<ComponentProps<typeof EntityMenuItems>>(
  async () => (await import('./entity-menu-items')).EntityMenuItems,
  () => null,
);
const parts = menuPartsWith(Items.preload);

/** Loads the entries in advance, once a page is in use. */
export const preloadEntityMenus = parts.load;

interface EntityMenuProps {
  /** The name of the entity. */
  name: string;
  actions: EntityActions;
  /** In a list each menu names its entity; on the page of the entity that is not needed. */
  inList?: boolean;
  /** A text at the top of the menu. */
  note?: string | undefined;
}

/** What can be done with an entity as a whole, each with its confirmation. */
export function EntityMenu({ name, actions, inList = false, note }: EntityMenuProps) {
  const [asking, setAsking] = useState<Asking | null>(null);
  return (
    <>
      <Menu
        align="end"
        from={parts}
        trigger={
          <IconButton variant="ghost" color="gray" aria-label={inList ? t('label.of', { name }) : t('label')}>
            <Ellipsis size={18} aria-hidden="true" />
          </IconButton>
        }
      >
        {(M) => <Items {...{ M, actions, note }} onAsk={setAsking} />}
      </Menu>
      <EntityActionDialog name={name} actions={actions} asking={asking} onClose={() => setAsking(null)} />
    </>
  );
}
