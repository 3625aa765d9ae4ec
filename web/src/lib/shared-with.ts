import { access as t } from '@/messages/access';
import type { DeepReadonly } from './deep-readonly';
import { formatNames } from './format';
import type { Grant, Grantee } from './wire';

/** Those whom something is shared with, as a stack of pictures shows them. */
export interface SharedWith {
  shown: readonly DeepReadonly<Grantee>[];
  /** How many there are beside those shown. */
  more: number;
  /** Who it is, in a sentence; empty where it is shared with nobody. */
  text: string;
}

/** How many are shown by their pictures; the others are counted. */
const mostShown = 3;

/** Up to this number are named in the sentence; of more people it gives only the number. */
const mostNamed = 10;

/** The people and teams beside the owner who have access. */
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
