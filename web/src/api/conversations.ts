import type { ConversationScope } from '@/lib/conversation-list';
import { call } from './client';
import { path } from './path';
import type {
  Conversation,
  ConversationChanges,
  ConversationPage,
  ConversationStatus,
  DataSource,
  Page,
  Rewound,
  Stopped,
  UserText,
} from '@/lib/wire';

const pageSize = 50;

/** One page of a filter's list. The scopes have the same names on the server; archived is a separate status there. */
export function listConversations(
  scope: ConversationScope,
  page: number,
  search = '',
): Promise<ConversationPage> {
  return call('GET', path`discourse/conversations`, {
    query: {
      sort: '-updated_at',
      page_size: pageSize,
      page,
      scope: scope === 'archived' ? 'all' : scope,
      retrieve_type: 'all',
      ...(scope === 'archived' && { status: 'archived' }),
      ...(search !== '' && { search }),
    },
  });
}

/** A page of a conversation's messages: the newest `size` at most, or the newest before a seq. */
interface MessagePage {
  size: number;
  before?: number;
}

/** One conversation with a page of its messages; `earlierMessages` of the answer is `before` of the next page. */
export function getConversation(
  id: string,
  { size, before }: MessagePage,
  signal?: AbortSignal,
): Promise<Conversation> {
  return call('GET', path`discourse/conversations/${id}`, {
    quiet: true,
    query: { message_page_size: size, messages_before: before },
    ...(signal && { signal }),
  });
}

export function createConversation(
  name: string,
  dataSources: number[],
  idempotencyKey: string,
): Promise<Conversation> {
  return call('POST', path`discourse/conversations`, {
    body: { name, description: name, dataSources },
    idempotencyKey,
    quiet: true,
  });
}

export function changeConversation(id: string, changes: ConversationChanges): Promise<Conversation> {
  return call('PATCH', path`discourse/conversations/${id}`, { body: changes, quiet: true });
}

/** Makes a copy of the conversation for the caller, with the same messages. */
export function copyConversation(id: string, idempotencyKey: string): Promise<Conversation> {
  return call('POST', path`discourse/conversations/${id}/copy`, { idempotencyKey, quiet: true });
}

export function deleteConversation(id: string): Promise<unknown> {
  return call('DELETE', path`discourse/conversations/${id}`, { query: { push_to_redis: true }, quiet: true });
}

export function setFavorite(id: string, isFavorite: boolean): Promise<unknown> {
  return call('PUT', path`discourse/conversations/${id}/favorite`, {
    body: { isFavorite },
    quiet: true,
  });
}

export function setStatus(id: string, status: ConversationStatus): Promise<unknown> {
  return call('PATCH', path`user/me/conversations/${id}/status`, { body: { status }, quiet: true });
}

export function listRunning(): Promise<Page<Conversation>> {
  return call('GET', path`discourse/conversations/running`, { quiet: true });
}

export function markRead(id: string): Promise<unknown> {
  return call('POST', path`discourse/conversations/${id}/read`, { quiet: true });
}

export function listConversationDataSources(id: string): Promise<Page<DataSource>> {
  return call('GET', path`discourse/conversations/${id}/data-sources`, { quiet: true });
}

export function rewind(id: string, messageId: string): Promise<Rewound> {
  return call('POST', path`discourse/conversations/${id}/rewind`, { body: { messageId }, quiet: true });
}

export function stop(id: string): Promise<Stopped> {
  return call('POST', path`analyst/process-control/stop-process-in-redis`, {
    body: { conversationId: id },
    quiet: true,
  });
}

/** Sends a prompt; `message.id` makes a repeated send happen once. */
export function sendPrompt(prompt: UserText): Promise<unknown> {
  return call('POST', path`discourse/user-text`, { body: prompt, quiet: true });
}
