import {
  Archive,
  Braces,
  Keyboard,
  Library,
  LogOut,
  MessageSquarePlus,
  Moon,
  Star,
  Sun,
  SunMoon,
} from 'lucide-react';
import { useMatch, useNavigate } from 'react-router';
import { useSnapshot } from 'valtio';
import { paths, patterns, type PageName } from '@/lib/paths';
import { keys } from '@/messages/keys';
import { palette as t } from '@/messages/palette';
import { shell } from '@/messages/shell';
import { patchSession } from '@/stores/conversation-session';
import { conversationsState, toggleFavorite } from '@/stores/conversations-store';
import { logOut, meState } from '@/stores/me-store';
import { appearances, preferencesState, setAppearance, type Appearance } from '@/stores/preferences-store';
import { hasPage } from '../pages';
import { areasOf, ownPlacesOf } from '../sidebar-places';
import type { PaletteItem } from './palette-items';

const appearanceIcons = { system: SunMoon, light: Sun, dark: Moon };

/** The appearances that one can change to. */
function appearanceItems(current: Appearance): PaletteItem[] {
  return appearances
    .filter((one) => one !== current)
    .map((one) => ({
      id: `appearance ${one}`,
      label: t('appearance', { appearance: shell(`appearance.${one}`) }),
      icon: appearanceIcons[one],
      run: () => setAppearance(one),
    }));
}

interface Surroundings {
  onKeys: () => void;
  /** Archiving asks first. */
  onArchive: (id: string) => void;
}

/** Where one can go and what one can do, here and now. */
export function usePaletteActions({ onKeys, onArchive }: Surroundings): {
  pages: PaletteItem[];
  actions: PaletteItem[];
} {
  const navigate = useNavigate();
  const { user } = useSnapshot(meState);
  const { byId } = useSnapshot(conversationsState);
  const { appearance } = useSnapshot(preferencesState);
  const open = byId[useMatch(patterns.conversation)?.params.conversationId ?? ''];
  const go = (to: string) => (): void => void navigate(to);
  const extra: readonly { page: PageName; label: string; icon: PaletteItem['icon']; to: string }[] = [
    { page: 'blueprintLibrary', label: t('page.library'), icon: Library, to: paths.blueprintLibrary },
    { page: 'apiReference', label: shell('apiReference'), icon: Braces, to: paths.apiReference },
  ];

  const pages = [
    ...[...areasOf(user), ...ownPlacesOf(user)]
      .filter(({ page }) => page !== null)
      .map(({ label, icon, to }) => ({ id: `page ${to}`, label: shell(label), icon, run: go(to) })),
    ...extra
      .filter(({ page }) => hasPage(page))
      .map(({ label, icon, to }) => ({ id: `page ${to}`, label, icon, run: go(to) })),
  ];

  const ofConversation: PaletteItem[] = open
    ? [
        {
          id: 'favorite',
          label: open.isFavorite ? t('unfavorite') : t('favorite'),
          icon: Star,
          run: () => void favorite(open.id, !open.isFavorite),
        },
        ...(open.status === 'active'
          ? [{ id: 'archive', label: t('archive'), icon: Archive, run: () => onArchive(open.id) }]
          : []),
      ]
    : [];

  const actions: PaletteItem[] = [
    {
      id: 'new',
      label: keys('new'),
      icon: MessageSquarePlus,
      keys: 'c',
      run: go(paths.newConversation()),
    },
    ...ofConversation,
    ...appearanceItems(appearance),
    { id: 'keys', label: keys('open'), icon: Keyboard, keys: '?', run: onKeys },
    { id: 'logout', label: shell('logOut'), icon: LogOut, run: logOut },
  ];
  return { pages, actions };
}

/** Marks or unmarks, in the list and in the header. */
async function favorite(id: string, to: boolean): Promise<void> {
  patchSession(id, { isFavorite: to });
  if (!(await toggleFavorite(id, to))) patchSession(id, { isFavorite: !to });
}
