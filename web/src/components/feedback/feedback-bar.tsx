import { IconButton } from '@radix-ui/themes';
import { CircleHelp, ThumbsDown, ThumbsUp, type LucideIcon } from 'lucide-react';
import { useRef, useState } from 'react';
import { Tooltip } from '@/components/tooltip/tooltip';
import { cx } from '@/lib/cx';
import type { FeedbackValues } from '@/lib/feedback';
import type { SubmitFailure } from '@/lib/submit-failure';
import { feedback as t } from '@/messages/feedback';
import { FeedbackPopup } from './feedback-popup';
import type { SentimentChoice } from './sentiment-choice';
import styles from './feedback.module.css';

interface FeedbackBarProps {
  /** Empty until they are needed; then the bar calls `onWant`. */
  sentiments: readonly SentimentChoice[];
  /** Loads the sentiments. Returns whether they are known now. */
  onWant: () => Promise<boolean>;
  /** The name of the sentiment that this person has given; `null` before that. */
  given: string | null;
  /** The comment so far. */
  draft: string;
  onDraft: (comment: string) => void;
  /** Returns `null` if it was accepted, else why not. */
  onSend: (sentiment: SentimentChoice, values: FeedbackValues) => Promise<SubmitFailure | null>;
}

const looks: Readonly<
  Record<string, { icon: LucideIcon; name: 'like' | 'dislike' | 'question' } | undefined>
> = {
  Like: { icon: ThumbsUp, name: 'like' },
  Dislike: { icon: ThumbsDown, name: 'dislike' },
  Question: { icon: CircleHelp, name: 'question' },
};

/** A reader's feedback on an answer, given once. */
export function FeedbackBar({ sentiments, given, ...form }: FeedbackBarProps) {
  // The server has these three for each organization, so that the buttons need not wait for its list.
  const names = sentiments.length > 0 ? sentiments.map(({ name }) => name) : Object.keys(looks);
  return (
    <div className={styles.bar} role="group" aria-label={t('bar')}>
      {names.map((name) => (
        <Choice
          key={name}
          name={name}
          sentiment={sentiments.find((one) => one.name === name)}
          given={given}
          {...form}
        />
      ))}
    </div>
  );
}

interface ChoiceProps extends Omit<FeedbackBarProps, 'sentiments'> {
  name: string;
  /** Not known before the sentiments are loaded. */
  sentiment: SentimentChoice | undefined;
}

function Choice({ name, sentiment, given, onWant, onSend, ...form }: ChoiceProps) {
  const [open, setOpen] = useState(false);
  const [waiting, setWaiting] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  async function press(): Promise<void> {
    if (sentiment === undefined) {
      setWaiting(true);
      const known = await onWant();
      setWaiting(false);
      if (!known) return;
    }
    setOpen(!open);
  }
  const look = looks[name];
  const Icon = look?.icon ?? CircleHelp;
  const label = look ? t(look.name) : name;
  const title = look ? t(`${look.name}.title`) : name;
  const mine = given === name;
  return (
    <>
      <Tooltip content={mine ? t('given') : label}>
        <IconButton
          ref={button}
          disabled={given !== null}
          aria-haspopup="dialog"
          aria-expanded={open}
          loading={waiting}
          onClick={() => void press()}
          size="1"
          variant={mine ? 'soft' : 'ghost'}
          color="gray"
          className={cx(mine && styles.given)}
          aria-label={label}
          aria-pressed={mine}
        >
          <Icon size={15} aria-hidden="true" />
        </IconButton>
      </Tooltip>
      {sentiment && (
        <FeedbackPopup
          anchor={button}
          open={open}
          onOpenChange={setOpen}
          sentiment={sentiment}
          title={title}
          onSend={(values) => onSend(sentiment, values)}
          {...form}
        />
      )}
    </>
  );
}
