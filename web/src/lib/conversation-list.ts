/** The filters of the list of conversations, in the order of their tabs. */
export const conversationScopes = ['all', 'favorite', 'user', 'shared', 'archived'] as const;

export type ConversationScope = (typeof conversationScopes)[number];

/** The filter that an address names; `all` if it names none. */
export function conversationScope(address: URLSearchParams): ConversationScope {
  const named = address.get('filter');
  return conversationScopes.find((one) => one === named) ?? 'all';
}

/**
 * The parameters of the list of conversations in an address. They are kept from one conversation to the next, so
 * that the list next to them does not change.
 */
export function listSearch(address: URLSearchParams): string {
  const kept = new URLSearchParams();
  for (const name of ['filter', 'search']) {
    const value = address.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept.size === 0 ? '' : `?${kept.toString()}`;
}
