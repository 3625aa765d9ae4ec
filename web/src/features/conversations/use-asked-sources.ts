import { useSnapshot } from 'valtio';
import { conversationSourcesState } from '@/stores/conversation-sources-store';
import { dataSources } from '@/stores/datasources-store/sources';

/** Which connectors a conversation asks. */
interface AskedSources {
  /** Ids of all of them, those that belong to it last. */
  ids: readonly number[];
  /** Those that belong to the conversation: always chosen, and not to be taken away. */
  own: readonly number[];
}

/** The connectors that were chosen for a conversation, and those that belong to it. */
export function useAskedSources(conversation: string, chosen: readonly number[]): AskedSources {
  const { byId } = useSnapshot(dataSources.state);
  // Who reads a shared conversation need not have them in their own list.
  const told = useSnapshot(conversationSourcesState).byConversation[conversation] ?? [];
  const belonging = [...told, ...Object.values(byId)].filter(
    ({ conversationId }) => conversationId === conversation,
  );
  const own = [...new Set(belonging.map(({ id }) => id))];
  return { ids: [...chosen.filter((id) => !own.includes(id)), ...own], own };
}
