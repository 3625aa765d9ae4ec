import { conversationChanges as t } from '@/messages/conversation-changes';
import { formatNames } from './format';

/** A person who has a conversation open. */
export interface Attendee {
  uuid: string;
  fullName: string;
}

/** The people who have a conversation open now, including the user: of `count` people the first ones by their ids. */
export interface Presence {
  people: readonly Attendee[];
  count: number;
}

/**
 * The value for a conversation for which the server has sent nothing: it sends a list only if more than one person
 * has it open.
 */
export const nobody: Presence = { people: [], count: 0 };

/** The others, as a header shows them. */
export interface Others {
  shown: readonly Attendee[];
  /** The number of people in addition to those shown. */
  more: number;
  /** The meaning, in a sentence; empty if there are no others. */
  text: string;
}

/** The number of names in the sentence. */
const mostNames = 3;

/** The other people, of whom at most `most` are shown. */
export function othersOf({ people, count }: Presence, me: string, most: number): Others {
  const others = people.filter((person) => person.uuid !== me);
  // If there are very many, not all are named, and the user may be one of those who are not.
  const total = count > people.length ? count - 1 : others.length;
  const shown = others.slice(0, most);
  const more = total - shown.length;
  if (total === 0) return { shown, more, text: '' };
  const names = formatNames(
    others.map(({ fullName }) => fullName),
    { most: mostNames, total, others: (rest) => t('presence.others', { count: rest }) },
  );
  return { shown, more, text: t('presence', { count: total, names }) };
}
