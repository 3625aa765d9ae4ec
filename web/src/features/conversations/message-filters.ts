import { passesFilter, type ChatMessage, type MessageFilter } from '@/lib/chat-message';
import type { MessageRole } from '@/lib/wire';

type Passes = (message: Pick<ChatMessage, 'role'>) => boolean;

/** The filters of the analytics view, in the order in which they are offered. */
export const messageFilters = ['all', 'datasources', 'executive', 'notes'] as const;

export function isMessageFilter(value: string): value is MessageFilter {
  return messageFilters.some((known) => known === value);
}

/** The roles of a filter as a test of messages; created once, so that filtering can be memoised. */
export const filters: Readonly<Record<MessageFilter | 'summary' | 'debug', Passes>> = {
  all: ({ role }) => passesFilter(role, 'all'),
  datasources: ({ role }) => passesFilter(role, 'datasources'),
  executive: ({ role }) => passesFilter(role, 'executive'),
  notes: ({ role }) => passesFilter(role, 'notes'),
  summary: ({ role }) => role === 'user' || role === 'summary',
  // For superusers in debug mode, all messages include the internal ones.
  debug: ({ role }) => role === 'internal' || passesFilter(role, 'all'),
};

const conversationTabs = ['summary', 'analytics', 'connectors'] as const;

/** The part of a conversation that is shown. */
export type ConversationTab = (typeof conversationTabs)[number];

/**
 * The tab with which a conversation opens. Another person's conversation opens on its summary; a link to a message
 * opens the tab of that message.
 */
export function openingTab(isShared: boolean, linked: MessageRole | null): ConversationTab {
  if (linked === 'summary') return 'summary';
  if (linked !== null && linked !== 'user') return 'analytics';
  return isShared ? 'summary' : 'analytics';
}

/** The tab that an address names, `null` if it names none. */
export function namedTab(address: URLSearchParams): ConversationTab | null {
  const named = address.get('tab');
  return conversationTabs.find((tab) => tab === named) ?? null;
}
