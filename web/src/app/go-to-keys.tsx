import { useNavigate } from 'react-router';
import { useSnapshot } from 'valtio';
import type { PageName } from '@/lib/paths';
import { useHotkey } from '@/lib/use-hotkey';
import { shell as t } from '@/messages/shell';
import { meState } from '@/stores/me-store';
import { areasOf, ownPlacesOf, type Place } from './sidebar-places';

/** The key that follows `g`, for each area. */
const keyOf: Partial<Record<PageName, string>> = {
  home: 'h',
  conversations: 'c',
  dataSources: 'd',
  blueprints: 'b',
  memories: 'm',
  tasks: 's',
  projects: 'p',
  agents: 'a',
  account: 'u',
};

/** `g` and another key open an area, if the person has access to it. */
export function GoToKeys() {
  const { user } = useSnapshot(meState);
  return [...areasOf(user), ...ownPlacesOf(user)].map((place) => <GoTo key={place.label} place={place} />);
}

function GoTo({ place: { page, label, to } }: { place: Place }) {
  const navigate = useNavigate();
  const key = page === null ? undefined : keyOf[page];
  useHotkey(
    key === undefined
      ? null
      : { keys: `g ${key}`, label: t(label), group: 'go', run: () => void navigate(to) },
  );
  return null;
}
