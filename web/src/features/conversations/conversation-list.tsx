import { Button, IconButton, Tabs, TextField } from '@radix-ui/themes';
import { Search, X } from 'lucide-react';
import { lazy, Suspense, useEffect } from 'react';
import { Link } from 'react-router';
import { useSnapshot } from 'valtio';
import sideways from '@/components/surface/sideways.module.css';
import {
  conversationScope,
  conversationScopes,
  listSearch,
  type ConversationScope,
} from '@/lib/conversation-list';
import { cx } from '@/lib/cx';
import { paths } from '@/lib/paths';
import { searchMax } from '@/lib/search';
import { useListAddress } from '@/lib/use-address';
import { useDebounced } from '@/lib/use-debounced';
import { useTitle } from '@/lib/use-title';
import { conversationList as t } from '@/messages/conversation-list';
import {
  conversationsState,
  forgetSearch,
  loadConversations,
  loadMoreConversations,
  searchConversations,
  searchMoreConversations,
} from '@/stores/conversations-store';
import { ConversationItems } from './conversation-items';
import { ConversationListHead } from './conversation-list-head';
import styles from './conversation-list.module.css';

// Most people open the list without a search.
const SaidItems = lazy(async () => ({ default: (await import('./said-items')).SaidItems }));

interface ConversationListProps {
  /** It fills the window and is the page itself. */
  narrow: boolean;
}

/** The panel of conversations with its search and its filters. */
export function ConversationList({ narrow }: ConversationListProps) {
  const { held, change, words, setWords } = useListAddress();
  const scope = conversationScope(held);
  const search = useDebounced(words.trim());
  const searching = search !== '' && words.trim() !== '';
  useTitle(narrow ? t('title') : null);

  useEffect(() => {
    if (search === '') forgetSearch();
  }, [search]);

  return (
    <section className={styles.panel} data-narrow={narrow} aria-label={t('label')}>
      <div className={styles.head}>
        <ConversationListHead
          list={searching ? 'found' : scope}
          whole={narrow}
          newAt={paths.newConversation() + listSearch(held)}
        />
        <TextField.Root
          placeholder={t('search')}
          aria-label={t('search')}
          data-search=""
          maxLength={searchMax}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        >
          <TextField.Slot>
            <Search size={16} />
          </TextField.Slot>
          {words !== '' && (
            <TextField.Slot side="right">
              <IconButton
                size="1"
                variant="ghost"
                aria-label={t('search.clear')}
                onClick={() => setWords('')}
              >
                <X size={14} />
              </IconButton>
            </TextField.Slot>
          )}
        </TextField.Root>
      </div>
      <Tabs.Root
        className={styles.tabs ?? ''}
        value={scope}
        onValueChange={(value) => change({ filter: value === 'all' ? null : value })}
      >
        <Tabs.List size="1" aria-label={t('filters')} className={cx(styles.filters, sideways.box)}>
          {conversationScopes.map((value) => (
            // It needs an explicit name: Radix renders the text twice, so that bold text takes no more space.
            <Tabs.Trigger key={value} value={value} aria-label={t(`filter.${value}`)}>
              {t(`filter.${value}`)}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {conversationScopes.map((value) => (
          // The panel itself is not a tab stop: its content can be reached.
          <Tabs.Content key={value} value={value} tabIndex={-1}>
            {searching ? (
              <>
                <FoundItems scope={value} words={search} />
                {value === 'all' && (
                  <Suspense fallback={null}>
                    <SaidItems words={search} />
                  </Suspense>
                )}
              </>
            ) : (
              <ScopeItems scope={value} narrow={narrow} />
            )}
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </section>
  );
}

/** The conversations of a filter, which are loaded when it is first shown. */
function ScopeItems({ scope, narrow }: { scope: ConversationScope; narrow: boolean }) {
  const list = useSnapshot(conversationsState.lists[scope]);

  useEffect(() => {
    void loadConversations(scope);
  }, [scope]);

  return (
    <ConversationItems
      name={scope}
      label={t(`list.${scope}`)}
      list={list}
      emptyTitle={t('none')}
      emptyText={t(`none.${scope}`)}
      // In a wide window the page next to the list already says how to begin.
      emptyAction={
        narrow &&
        scope === 'all' && (
          <Button asChild>
            <Link to={paths.newConversation()}>{t('start')}</Link>
          </Button>
        )
      }
      onRetry={() => void loadConversations(scope)}
      onMore={() => void loadMoreConversations(scope)}
    />
  );
}

/** The conversations of a filter whose name or description contains the words. */
function FoundItems({ scope, words }: { scope: ConversationScope; words: string }) {
  const { found } = useSnapshot(conversationsState);

  useEffect(() => {
    void searchConversations(scope, words);
  }, [scope, words]);

  return (
    <ConversationItems
      name="found"
      label={t('list.found')}
      list={found}
      emptyTitle={t('notFound')}
      emptyText={t('notFound.text')}
      onRetry={() => void searchConversations(scope, words)}
      onMore={() => void searchMoreConversations()}
    />
  );
}
