import { access as t } from '@/messages/access';
import type { DeepReadonly } from './deep-readonly';
import { formatNames } from './format';
import type { Grant, Grantee } from './wire';

/** The people and teams with whom something is shared, for a stack of pictures. */
export interface SharedWith {
  shown: readonly DeepReadonly<Grantee>[];
  /** The number of people and teams in addition to those shown. */
  more: number;
  /** Their names, in a sentence; empty if it is not shared. */
  text: string;
}

/** The number of pictures; the others are only counted. */
const mostShown = 3;

/** Up to this number are named in the sentence; if there are more, it only has their number. */
const mostNamed = 10;

/** The people and teams with access, without the owner. */
export function sharedWith(grants: readonly DeepReadonly<Grant>[]): SharedWith {
  const others = grants.filter(({ permission }) => permission !== 'owner').map(({ actor }) => actor);
  const shown = others.slice(0, mostShown);
  if (others.length === 0) return { shown, more: 0, text: '' };
  const names = formatNames(
    others.map(({ name }) => name),
    { most: mostNamed, others: (count) => t('shared.others', { count }) },
  );
  return { shown, more: others.length - shown.length, text: t('shared', { names }) };
}
