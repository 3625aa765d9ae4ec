import { Database, ListChecks, MessagesSquare } from 'lucide-react';
import { useNavigate } from 'react-router';
import { blueprintQuery } from '@/lib/blueprint';
import { everySource } from '@/lib/datasource-filter';
import { formatAgo } from '@/lib/format';
import { isFirstLoad } from '@/lib/load-status';
import { paths } from '@/lib/paths';
import { writeQuery } from '@/lib/query';
import { searchByName } from '@/lib/search';
import { useList } from '@/lib/use-collection';
import { useNow } from '@/lib/use-now';
import { blueprints } from '@/stores/blueprints-store/blueprints';
import { conversationSearch } from '@/stores/conversation-search-store';
import { dataSources as held } from '@/stores/datasources-store/sources';
import { hasPage } from '../pages';
import type { PaletteItem } from './palette-items';

const offered = 6;

interface Found {
  conversations: PaletteItem[];
  connectors: PaletteItem[];
  blueprints: PaletteItem[];
  /** The server has not answered yet. */
  loading: boolean;
  /** The server could not be asked. */
  failed: boolean;
}

/** What goes by these words: conversations and blueprints by the server, connectors as far as they are held. */
export function usePaletteFound(words: string): Found {
  const navigate = useNavigate();
  const now = useNow();
  const { items: sources } = useList(held, everySource);
  const conversations = useList(conversationSearch, { search: words });
  const named = useList(blueprints, blueprintQuery({ search: words }));
  const go = (to: string) => (): void => void navigate(to);
  const blueprintPath = (id: number, name: string): string =>
    hasPage('blueprint') ? paths.blueprint(id) : paths.blueprints + writeQuery({ search: name });
  return {
    conversations: conversations.items.slice(0, offered).map(({ id, name, updatedAt }) => ({
      id: `conversation ${id}`,
      label: name,
      icon: MessagesSquare,
      note: formatAgo(updatedAt, now),
      run: go(paths.conversation(id)),
    })),
    connectors:
      words === ''
        ? []
        : searchByName(sources, words)
            .slice(0, offered)
            .map(({ id, name }) => ({
              id: `connector ${id}`,
              label: name,
              icon: Database,
              run: go(paths.dataSource(id)),
            })),
    blueprints:
      words === ''
        ? []
        : named.items.slice(0, offered).map(({ id, name }) => ({
            id: `blueprint ${id}`,
            label: name,
            icon: ListChecks,
            run: go(blueprintPath(id, name)),
          })),
    loading: [conversations, named].some(({ status }) => isFirstLoad(status) || status === 'updating'),
    failed: [conversations, named].some(({ status }) => status === 'failed'),
  };
}
