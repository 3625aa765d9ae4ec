import {
  Archive,
  BotMessageSquare,
  Braces,
  Keyboard,
  Library,
  ListPlus,
  LogOut,
  MessageSquarePlus,
  Moon,
  Star,
  Sun,
  SunMoon,
} from 'lucide-react';
import { useMatch, useNavigate } from 'react-router';
import { useSnapshot } from 'valtio';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { mayOpen } from '@/lib/page-access';
import { paths, patterns, type PageName } from '@/lib/paths';
import type { User } from '@/lib/wire';
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

/** The other appearances, to switch to. */
function appearanceItems(current: Appearance): PaletteItem[] {
  return appearances
    .filter((one) => one !== current)
    .map((one) => ({
      id: `appearance ${one}`,
      label: t('appearance', { appearance: shell(`appearance.${one}`) }),
      icon: appearanceIcons[one],
      words: t('words.appearance'),
      run: () => setAppearance(one),
    }));
}

/** A page that is not an area of the sidebar. */
interface Place {
  page: PageName;
  label: string;
  icon: PaletteItem['icon'];
  to: string;
  words: string;
}

function thereFor(places: readonly Place[], user: DeepReadonly<User> | null): Place[] {
  return places.filter(({ page }) => hasPage(page) && mayOpen(user, page));
}

interface Surroundings {
  onKeys: () => void;
  /** Archiving asks for confirmation first. */
  onArchive: (id: string) => void;
}

/** The places to go to and the actions that are available now. */
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
  const extra: readonly Place[] = [
    {
      page: 'blueprintLibrary',
      label: t('page.library'),
      icon: Library,
      to: paths.blueprintLibrary,
      words: t('words.library'),
    },
    {
      page: 'apiReference',
      label: shell('apiReference'),
      icon: Braces,
      to: paths.apiReference,
      words: t('words.reference'),
    },
  ];
  const made: readonly Place[] = [
    {
      page: 'newBlueprint',
      label: t('new.blueprint'),
      icon: ListPlus,
      to: paths.newBlueprint,
      words: t('words.new'),
    },
    {
      page: 'newAgent',
      label: t('new.agent'),
      icon: BotMessageSquare,
      to: paths.newAgent,
      words: t('words.new'),
    },
  ];

  const pages = [
    ...[...areasOf(user), ...ownPlacesOf(user)]
      .filter(({ page }) => page !== null)
      .map(({ label, icon, to }) => ({
        id: `page ${to}`,
        label: shell(label),
        icon,
        words: `${t('words.page')} ${t(`words.${label}`)}`,
        run: go(to),
      })),
    ...thereFor(extra, user).map(({ label, icon, to, words }) => ({
      id: `page ${to}`,
      label,
      icon,
      words: `${t('words.page')} ${words}`,
      run: go(to),
    })),
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
      words: `${t('words.new')} ${t('words.conversation')}`,
      run: go(paths.newConversation()),
    },
    ...thereFor(made, user).map(({ label, icon, to, words }) => ({
      id: `new ${to}`,
      label,
      icon,
      words,
      run: go(to),
    })),
    ...ofConversation,
    ...appearanceItems(appearance),
    { id: 'keys', label: keys('open'), icon: Keyboard, keys: '?', words: t('words.keys'), run: onKeys },
    { id: 'logout', label: shell('logOut'), icon: LogOut, words: t('words.logout'), run: logOut },
  ];
  return { pages, actions };
}

/** Marks or unmarks, in the list and in the header. */
async function favorite(id: string, to: boolean): Promise<void> {
  patchSession(id, { isFavorite: to });
  if (!(await toggleFavorite(id, to))) patchSession(id, { isFavorite: !to });
}
