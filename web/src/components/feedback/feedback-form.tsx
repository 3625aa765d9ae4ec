import { Flex, Text } from '@radix-ui/themes';
import { useEffect, useEffectEvent } from 'react';
import { useFormContext } from 'react-hook-form';
import { Form } from '@/components/form/form';
import { FormError } from '@/components/form/form-error';
import { SubmitButton } from '@/components/form/submit-button';
import { TextArea } from '@/components/form/text-area';
import { useField } from '@/components/form/use-field';
import { useSchemaForm } from '@/components/form/use-schema-form';
import type { FeedbackValues } from '@/lib/feedback';
import { commentMax, feedbackSchema } from '@/lib/feedback-rules';
import { offersLabels, reasonName } from '@/lib/feedback-words';
import type { SubmitFailure } from '@/lib/submit-failure';
import { shorten } from '@/lib/text';
import { feedbackForm as t } from '@/messages/feedback-form';
import styles from './feedback-form.module.css';
import type { SentimentChoice } from './sentiment-choice';

/** The props of the form. */
export interface FeedbackFormProps {
  sentiment: SentimentChoice;
  title: string;
  /** The comment so far; the reasons of one sentiment do not apply to another, so they are not kept. */
  draft: string;
  onDraft: (comment: string) => void;
  /** Returns `null` if it was accepted, else why not. */
  onSend: (values: FeedbackValues) => Promise<SubmitFailure | null>;
  onSent: () => void;
}

/** Asks for the reasons of a sentiment, and for a comment. */
export function FeedbackForm({ sentiment, title, draft, onDraft, onSend, onSent }: FeedbackFormProps) {
  const form = useSchemaForm(feedbackSchema, { labels: [], comment: draft });
  const isOffered = offersLabels(sentiment);
  const keep = useEffectEvent(onDraft);
  useEffect(
    () =>
      form.subscribe({
        name: 'comment',
        formState: { values: true },
        callback: ({ values }) => keep(values.comment),
      }),
    [form],
  );

  return (
    <Form form={form} onSubmit={onSend} onDone={onSent}>
      <Text as="div" size="2" weight="medium">
        {title}
      </Text>
      {isOffered && <Reasons labels={sentiment.labelSet} />}
      <TextArea
        control={form.control}
        name="comment"
        label={t('comment')}
        placeholder={t(isOffered ? 'comment.optional' : 'comment.question')}
        limit={commentMax}
        adjust={(text) => shorten(text.trimStart(), commentMax)}
      />
      <FormError />
      <Flex justify="end">
        <SubmitButton>{t('send')}</SubmitButton>
      </Flex>
    </Form>
  );
}

/** The reasons for a sentiment; any number of them can be pressed. */
function Reasons({ labels }: { labels: SentimentChoice['labelSet'] }) {
  const { control, trigger, getFieldState } = useFormContext<FeedbackValues>();
  const { value, onChange, readOnly } = useField<FeedbackValues, number[]>(control, 'labels');

  function toggle(id: number): void {
    onChange(value.includes(id) ? value.filter((one) => one !== id) : [...value, id]);
    // A reason is enough: the message that asks for one or a comment stands at the comment.
    if (getFieldState('comment').invalid) void trigger('comment');
  }

  return (
    <div className={styles.labels} role="group" aria-label={t('reasons')}>
      {labels.map((label) => (
        <button
          key={label.id}
          type="button"
          className={styles.label}
          aria-pressed={value.includes(label.id)}
          disabled={readOnly}
          onClick={() => toggle(label.id)}
        >
          {reasonName(label)}
        </button>
      ))}
    </div>
  );
}
