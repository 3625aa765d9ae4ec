import {
  Bot,
  Brain,
  CalendarClock,
  CircleUser,
  Database,
  FolderKanban,
  Home,
  KeyRound,
  ListChecks,
  MessagesSquare,
  Server,
  Settings,
  Users,
  type LucideIcon,
} from 'lucide-react';
import { mayOpen } from '@/lib/page-access';
import { paths, type PageName } from '@/lib/paths';
import type { shell } from '@/messages/shell';
import type { User } from '@/lib/wire';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { hasPage } from './pages';

type PlaceLabel = Exclude<Extract<Parameters<typeof shell>[0], `place.${string}`>, 'place.notOffered'>;

/** An entry of the sidebar, and of the command palette. */
export interface Place {
  /** `null` for an area that is not available yet: its entry is shown, but disabled. */
  page: PageName | null;
  /** The id of its name in the catalogue. */
  label: PlaceLabel;
  icon: LucideIcon;
  /** The address; empty if there is no page. */
  to: string;
  /** Addresses of the same area that do not begin with `to`. */
  also?: RegExp;
}

const home: Place = { page: 'home', label: 'place.home', icon: Home, to: paths.home, also: /^\/$/u };
const account: Place = { page: 'account', label: 'place.account', icon: CircleUser, to: paths.account };

/** The areas in the order of the sidebar. */
const areas: readonly Place[] = [
  home,
  { page: 'conversations', label: 'place.conversations', icon: MessagesSquare, to: paths.conversations },
  { page: 'dataConfig', label: 'place.dataConfig', icon: KeyRound, to: paths.dataConfig },
  {
    page: 'dataSources',
    label: 'place.connectors',
    icon: Database,
    to: paths.dataSources,
    also: /^\/datasource\//u,
  },
  {
    page: 'blueprints',
    label: 'place.blueprints',
    icon: ListChecks,
    to: paths.blueprints,
    also: /^\/blueprint\//u,
  },
  { page: null, label: 'place.team', icon: Users, to: '' },
  { page: null, label: 'place.user', icon: Settings, to: '' },
  { page: 'memories', label: 'place.memories', icon: Brain, to: paths.memories },
  { page: 'tasks', label: 'place.tasks', icon: CalendarClock, to: paths.tasks },
  { page: 'projects', label: 'place.projects', icon: FolderKanban, to: paths.projects },
  { page: 'agents', label: 'place.agents', icon: Bot, to: paths.agents },
  { page: 'cluster', label: 'place.cluster', icon: Server, to: paths.cluster },
];

function isOffered(place: Place, person: DeepReadonly<User> | null): boolean {
  return place.page === null || (hasPage(place.page) && mayOpen(person, place.page));
}

/** The areas that this person has access to. */
export function areasOf(person: DeepReadonly<User> | null): Place[] {
  return areas.filter((place) => isOffered(place, person));
}

/** The second group of the sidebar, before Log out. */
export function ownPlacesOf(person: DeepReadonly<User> | null): Place[] {
  return [account].filter((place) => isOffered(place, person));
}
