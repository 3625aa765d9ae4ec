import { Text } from '@radix-ui/themes';
import { MessageSquareText } from 'lucide-react';
import { useEffect } from 'react';
import { useSnapshot } from 'valtio';
import type { EntityColumn, EntityWords, ListSegment } from '@/components/entity-list/entity';
import { EntityList } from '@/components/entity-list/entity-list';
import { sentimentName, SentimentBadge } from '@/components/feedback/feedback-note';
import type { DeepReadonly } from '@/lib/deep-readonly';
import {
  commentText,
  feedbackPageSize,
  feedbackScopes,
  reasonsOf,
  type FeedbackQuery,
} from '@/lib/feedback-list';
import { reasonName } from '@/lib/feedback-words';
import { formatDay } from '@/lib/format';
import { paths } from '@/lib/paths';
import { useDebounced } from '@/lib/use-debounced';
import { useList } from '@/lib/use-collection';
import { useListQuery } from '@/lib/use-list-query';
import type { Feedback } from '@/lib/wire';
import { feedbackList as t } from '@/messages/feedback-list';
import { feedbackList } from '@/stores/feedback-list-store';
import { feedbackState, loadSentiments } from '@/stores/feedback-store';
import { FeedbackFilters } from './feedback-filters';

/** A list names its entities; the name of feedback is that of the conversation. */
type ShownFeedback = DeepReadonly<Feedback> & { readonly name: string };

const segments: readonly ListSegment[] = feedbackScopes.map((value) => ({
  value,
  label: t(`scope.${value}`),
}));

const words: EntityWords = {
  list: t('list'),
  search: t('search'),
  count: (count) => t('count', { count }),
  none: t('none'),
  loading: t('loading'),
  failed: t('failed'),
};

/** One line; the full text is shown on hover. */
function Line({ text }: { text: string }) {
  return (
    <Text size="2" title={text}>
      {text}
    </Text>
  );
}

const columns: readonly EntityColumn<ShownFeedback>[] = [
  { id: 'conversation', label: t('column.conversation'), cell: ({ name }) => name, width: '24%' },
  {
    id: 'sentiment',
    label: t('column.sentiment'),
    cell: ({ sentiment }) => sentiment.map(({ id, name }) => <SentimentBadge key={id} name={name} />),
    // As wide as its longest badge in any language.
    width: '140px',
  },
  { id: 'labels', label: t('column.labels'), cell: (item) => <Line text={reasonsOf(item).join(', ')} /> },
  { id: 'comment', label: t('column.comment'), cell: (item) => <Line text={commentText(item)} /> },
  { id: 'user', label: t('column.user'), cell: ({ user }) => <Line text={user.fullName} />, width: '14%' },
  { id: 'date', label: t('column.date'), cell: ({ createdAt }) => formatDay(createdAt), width: '132px' },
];

/** The id in a parameter of the address. */
const idIn = (text: string | null): number | null => Number(text) || null;

/** The tab of `/memories` with the feedback on answers. Each row opens the conversation at that answer. */
export function FeedbackTab() {
  const { query, change, held, changeOther } = useListQuery({ segments: feedbackScopes, view: 'list' });
  const { sentiments } = useSnapshot(feedbackState);
  const asked: FeedbackQuery = {
    scope: query.segment,
    sentiment: idIn(held.get('sentiment')),
    label: idIn(held.get('label')),
    search: useDebounced(query.search.trim()),
  };
  const { items, status, count, first } = useList(feedbackList, asked);
  useEffect(() => void loadSentiments(), []);

  const chosen = sentiments.find(({ id }) => id === asked.sentiment);
  const label = sentiments.flatMap(({ labelSet }) => labelSet).find(({ id }) => id === asked.label);
  const narrowed = [chosen && sentimentName(chosen.name), label && reasonName(label)].filter(
    (word) => word !== undefined,
  );
  return (
    <EntityList
      words={words}
      items={items.map((feedback) => ({ ...feedback, name: feedback.conversation.name }))}
      status={status}
      count={count}
      query={query}
      onQuery={(changes) => {
        change(changes);
        // Clear resets all filters of the list.
        if (changes.search === '' && changes.segment !== undefined)
          changeOther({ sentiment: null, label: null });
      }}
      segments={segments}
      filters={
        <FeedbackFilters
          query={asked}
          onChange={(changes) =>
            changeOther(
              Object.fromEntries(
                Object.entries(changes).map(([name, id]) => [name, id === null ? null : String(id)]),
              ),
            )
          }
        />
      }
      filtered={narrowed.length > 0 ? narrowed.join(', ') : undefined}
      columns={columns}
      open={({ conversation, message }) => ({ to: paths.feedback(conversation.id, message) })}
      empty={{ icon: <MessageSquareText size={22} />, text: t('empty') }}
      onRetry={() => void feedbackList.refresh(asked)}
      pages={{ page: first, size: feedbackPageSize, onPage: (page) => void feedbackList.goTo(asked, page) }}
    />
  );
}
