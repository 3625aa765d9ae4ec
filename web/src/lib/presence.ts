import { conversationChanges as t } from '@/messages/conversation-changes';
import { formatNames } from './format';

/** Somebody who has a conversation open. */
export interface Attendee {
  uuid: string;
  fullName: string;
}

/** The people who have a conversation open now, oneself among them: of `count` people the first ones by their ids. */
export interface Presence {
  people: readonly Attendee[];
  count: number;
}

/** What is known of a conversation of which the server has said nothing: it tells only those who are not alone. */
export const nobody: Presence = { people: [], count: 0 };

/** The others, as a header shows them. */
export interface Others {
  shown: readonly Attendee[];
  /** How many there are beside those shown. */
  more: number;
  /** What it means, in a sentence; empty where there is nobody. */
  text: string;
}

/** How many are named in the sentence. */
const mostNames = 3;

/** The people beside oneself, of whom at most `most` are shown. */
export function othersOf({ people, count }: Presence, me: string, most: number): Others {
  const others = people.filter((person) => person.uuid !== me);
  // Of very many not all are named, and oneself may be among those who are not.
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
