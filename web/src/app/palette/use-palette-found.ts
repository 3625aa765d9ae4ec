import { Database, ListChecks, MessagesSquare, TextSearch } from 'lucide-react';
import { useNavigate } from 'react-router';
import { blueprintQuery } from '@/lib/blueprint';
import type { Collection } from '@/lib/collection';
import type { Entity } from '@/lib/collection-state';
import { everySource } from '@/lib/datasource-filter';
import { formatAgo } from '@/lib/format';
import { isFirstLoad } from '@/lib/load-status';
import { paths } from '@/lib/paths';
import { writeQuery } from '@/lib/query';
import { searchByName } from '@/lib/search';
import { useList } from '@/lib/use-collection';
import { useNow } from '@/lib/use-now';
import { palette as t } from '@/messages/palette';
import { blueprints } from '@/stores/blueprints-store/blueprints';
import { conversationSearch } from '@/stores/conversation-search-store';
import { messageSearch } from '@/stores/message-search-store';
import { dataSources as held } from '@/stores/datasources-store/sources';
import { hasPage } from '../pages';
import { besidesKind, holdsAll, longestOf, type PaletteItem } from './palette-items';

const offered = 6;

interface Found {
  conversations: PaletteItem[];
  connectors: PaletteItem[];
  blueprints: PaletteItem[];
  /** Messages that contain the words. */
  said: PaletteItem[];
  /** The server has not answered yet. */
  loading: boolean;
  /** The server could not be asked. */
  failed: boolean;
}

/**
 * What the server finds by the whole text, and by its longest word; of the latter only the items that contain all
 * words are used.
 */
function useBoth<T extends Entity, Q, D extends T>(
  collection: Collection<T, Q, D>,
  queryOf: (search: string) => Q,
  words: string,
  kind: string,
) {
  const rest = besidesKind(words, kind);
  const whole = useList(collection, queryOf(words));
  const wide = useList(collection, queryOf(longestOf(rest)));
  return { whole, wide, rest };
}

/** The first few of the lists, each only once. */
function firstOf<T extends { readonly id: number | string }>(...lists: readonly (readonly T[])[]): T[] {
  const byId = new Map(lists.flat().map((item) => [item.id, item]));
  return [...byId.values()].slice(0, offered);
}

/**
 * What is found by these words, in any order, and by the name of its kind: conversations and blueprints on the
 * server, connectors among those that are loaded.
 */
export function usePaletteFound(words: string): Found {
  const navigate = useNavigate();
  const now = useNow();
  const { items: sources } = useList(held, everySource);
  const talks = useBoth(conversationSearch, (search) => ({ search }), words, t('words.conversation'));
  const said = useList(messageSearch, { search: words });
  const plans = useBoth(blueprints, (search) => blueprintQuery({ search }), words, t('words.blueprint'));
  const ofConnectors = besidesKind(words, t('words.connector'));
  const go = (to: string) => (): void => void navigate(to);
  const blueprintPath = (id: number, name: string): string =>
    hasPage('blueprint') ? paths.blueprint(id) : paths.blueprints + writeQuery({ search: name });
  const asked = [talks.whole, talks.wide, plans.whole, plans.wide, said];
  return {
    conversations: firstOf(
      talks.whole.items,
      talks.wide.items.filter(({ name }) => holdsAll(name, talks.rest)),
    ).map(({ id, name, updatedAt }) => ({
      id: `conversation ${id}`,
      label: name,
      icon: MessagesSquare,
      note: formatAgo(updatedAt, now),
      run: go(paths.conversation(id)),
    })),
    connectors:
      words === ''
        ? []
        : firstOf(
            searchByName(sources, words),
            sources.filter(({ name }) => holdsAll(name, ofConnectors)),
            sources.filter(({ name, description }) => holdsAll(`${name} ${description}`, ofConnectors)),
          ).map(({ id, name }) => ({
            id: `connector ${id}`,
            label: name,
            icon: Database,
            run: go(paths.dataSource(id)),
          })),
    blueprints:
      words === ''
        ? []
        : firstOf(
            plans.whole.items,
            plans.wide.items.filter(({ name, description }) =>
              holdsAll(`${name} ${description}`, plans.rest),
            ),
          ).map(({ id, name }) => ({
            id: `blueprint ${id}`,
            label: name,
            icon: ListChecks,
            run: go(blueprintPath(id, name)),
          })),
    said: said.items
      .slice(0, offered)
      .map(({ id, conversationId, conversationName, messageId, excerpt, createdAt }) => ({
        id: `message ${id}`,
        label: conversationName,
        detail: excerpt,
        icon: TextSearch,
        note: formatAgo(createdAt, now),
        run: go(paths.conversation(conversationId, messageId)),
      })),
    loading: asked.some(({ status }) => isFirstLoad(status) || status === 'updating'),
    failed: asked.some(({ status }) => status === 'failed'),
  };
}
