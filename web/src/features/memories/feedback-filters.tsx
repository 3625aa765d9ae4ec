import { Select } from '@radix-ui/themes';
import { useSnapshot } from 'valtio';
import { sentimentName } from '@/components/feedback/feedback-note';
import type { FeedbackQuery } from '@/lib/feedback-list';
import { reasonName } from '@/lib/feedback-words';
import { formatCount } from '@/lib/format';
import { feedbackList as t } from '@/messages/feedback-list';
import { countsKey, feedbackCounts } from '@/stores/feedback-list-store';
import { feedbackState } from '@/stores/feedback-store';

interface FeedbackFiltersProps {
  query: FeedbackQuery;
  onChange: (changes: { sentiment?: number | null; label?: number | null }) => void;
}

/** Radix does not allow an empty value for an entry. */
const every = ' all';

const idOf = (text: string): number | null => (text === every ? null : Number(text));

/** Filters feedback by a sentiment, each with its count, and by a reason of it. */
export function FeedbackFilters({ query, onChange }: FeedbackFiltersProps) {
  const { sentiments } = useSnapshot(feedbackState);
  const counts = useSnapshot(feedbackCounts)[countsKey(query)] ?? [];
  const offered = sentiments.filter(({ id }) => query.sentiment === null || id === query.sentiment);
  return (
    <>
      <Select.Root
        value={String(query.sentiment ?? every)}
        // A reason belongs to one sentiment.
        onValueChange={(text) => onChange({ sentiment: idOf(text), label: null })}
      >
        <Select.Trigger aria-label={t('sentiment')} variant="surface" color="gray" />
        <Select.Content position="popper">
          <Select.Item value={every}>{t('sentiment.all')}</Select.Item>
          {sentiments.map(({ id, name }) => {
            const count = query.label === null ? counts.find((one) => one.id === id)?.count : undefined;
            return (
              <Select.Item key={id} value={String(id)}>
                {count === undefined
                  ? sentimentName(name)
                  : t('sentiment.count', { name: sentimentName(name), count: formatCount(count) })}
              </Select.Item>
            );
          })}
        </Select.Content>
      </Select.Root>
      <Select.Root
        value={String(query.label ?? every)}
        onValueChange={(text) => onChange({ label: idOf(text) })}
      >
        <Select.Trigger aria-label={t('label')} variant="surface" color="gray" />
        <Select.Content position="popper">
          <Select.Item value={every}>{t('label.all')}</Select.Item>
          {offered.map(({ id, name, labelSet }) => (
            <Select.Group key={id}>
              <Select.Label>{sentimentName(name)}</Select.Label>
              {labelSet.map((label) => (
                <Select.Item key={label.id} value={String(label.id)}>
                  {reasonName(label)}
                </Select.Item>
              ))}
            </Select.Group>
          ))}
        </Select.Content>
      </Select.Root>
    </>
  );
}
