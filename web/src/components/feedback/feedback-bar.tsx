import { Button, Flex, IconButton, Text, TextArea } from '@radix-ui/themes';
import { CircleHelp, ThumbsDown, ThumbsUp, type LucideIcon } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Popup } from '@/components/popup/popup';
import { Tooltip } from '@/components/tooltip/tooltip';
import { cx } from '@/lib/cx';
import { commentMax, feedbackProblem, offersLabels, type FeedbackDraft } from '@/lib/feedback';
import { reasonName } from '@/lib/feedback-words';
import { characterCount, shorten } from '@/lib/text';
import { feedback as t } from '@/messages/feedback';
import styles from './feedback.module.css';

/** One sentiment about an answer, with the reasons for it. */
export interface SentimentChoice {
  readonly id: number;
  readonly name: string;
  readonly labelSet: readonly { readonly id: number; readonly name: string; readonly isDefault: boolean }[];
}

interface FeedbackBarProps {
  /** Empty until they are needed; then the bar calls `onWant`. */
  sentiments: readonly SentimentChoice[];
  /** Loads the sentiments. Returns whether they are known now. */
  onWant: () => Promise<boolean>;
  /** The name of the sentiment that this person has given; `null` before that. */
  given: string | null;
  draft: FeedbackDraft;
  onDraft: (changes: Partial<FeedbackDraft>) => void;
  /** Returns whether it was accepted. */
  onSend: (sentiment: SentimentChoice) => Promise<boolean>;
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

function Choice({ name, sentiment, given, draft, onWant, onDraft, onSend }: ChoiceProps) {
  const [open, setOpen] = useState(false);
  const [waiting, setWaiting] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const show = (to: boolean): void => {
    // The reasons of one sentiment do not apply to another.
    if (to) onDraft({ labels: [] });
    setOpen(to);
  };
  async function press(): Promise<void> {
    if (sentiment === undefined) {
      setWaiting(true);
      const known = await onWant();
      setWaiting(false);
      if (!known) return;
    }
    show(!open);
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
        <Popup
          anchor={button}
          open={open}
          onOpenChange={show}
          width="360px"
          maxWidth="calc(100vw - 24px)"
          label={title}
        >
          <FeedbackForm
            sentiment={sentiment}
            title={title}
            draft={draft}
            onDraft={onDraft}
            onSend={async () => {
              const taken = await onSend(sentiment);
              if (taken) setOpen(false);
            }}
          />
        </Popup>
      )}
    </>
  );
}

interface FeedbackFormProps {
  sentiment: SentimentChoice;
  title: string;
  draft: FeedbackDraft;
  onDraft: (changes: Partial<FeedbackDraft>) => void;
  onSend: () => Promise<void>;
}

function FeedbackForm({ sentiment, title, draft, onDraft, onSend }: FeedbackFormProps) {
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { labels, comment } = draft;

  async function send(): Promise<void> {
    const found = feedbackProblem(draft);
    setProblem(found);
    if (found !== null) return;
    setBusy(true);
    await onSend();
    setBusy(false);
  }

  function toggle(label: number): void {
    onDraft({ labels: labels.includes(label) ? labels.filter((one) => one !== label) : [...labels, label] });
  }

  return (
    <Flex direction="column" gap="3">
      <Text as="div" size="2" weight="medium">
        {title}
      </Text>
      {offersLabels(sentiment) && (
        <div className={styles.labels} role="group" aria-label={t('reasons')}>
          {sentiment.labelSet.map((label) => (
            <button
              key={label.id}
              type="button"
              className={styles.label}
              aria-pressed={labels.includes(label.id)}
              disabled={busy}
              onClick={() => toggle(label.id)}
            >
              {reasonName(label)}
            </button>
          ))}
        </div>
      )}
      <TextArea
        aria-label={t('comment')}
        placeholder={offersLabels(sentiment) ? t('comment.optional') : t('comment.question')}
        rows={3}
        value={comment}
        disabled={busy}
        aria-invalid={problem !== null}
        aria-describedby={`${id}-note`}
        onChange={(event) => onDraft({ comment: shorten(event.target.value.trimStart(), commentMax) })}
      />
      <Flex align="center" justify="between" gap="3">
        <Text id={`${id}-note`} size="1" color={problem === null ? 'gray' : 'red'} role="status">
          {problem ?? t('length', { count: characterCount(comment), limit: commentMax })}
        </Text>
        <Button size="2" loading={busy} onClick={() => void send()}>
          {t('send')}
        </Button>
      </Flex>
    </Flex>
  );
}
