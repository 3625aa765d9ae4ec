import { Badge, Text } from '@radix-ui/themes';
import { CircleHelp, ThumbsDown, ThumbsUp, type LucideIcon } from 'lucide-react';
import { formatDay } from '@/lib/format';
import { feedbackList as t } from '@/messages/feedback-list';
import styles from './feedback.module.css';

type Color = 'green' | 'red' | 'blue' | 'gray';

const looks: Readonly<Record<string, { icon: LucideIcon; color: Color; label: () => string } | undefined>> = {
  Like: { icon: ThumbsUp, color: 'green', label: () => t('name.Like') },
  Dislike: { icon: ThumbsDown, color: 'red', label: () => t('name.Dislike') },
  Question: { icon: CircleHelp, color: 'blue', label: () => t('name.Question') },
};

/** The word for a sentiment of the server. */
export function sentimentName(name: string): string {
  return looks[name]?.label() ?? name;
}

/** The sentiment about an answer, in a word. */
export function SentimentBadge({ name }: { name: string }) {
  const look = looks[name];
  const Icon = look?.icon;
  return (
    <Badge color={look?.color ?? 'gray'} variant="soft">
      {Icon && <Icon size={13} aria-hidden="true" />}
      {sentimentName(name)}
    </Badge>
  );
}

interface FeedbackNoteProps {
  sentiment: string;
  /** The reasons that were picked. */
  labels: readonly string[];
  comments: readonly { readonly id: number; readonly text: string }[];
  /** Who gave it. */
  user: string;
  /** RFC 3339. */
  createdAt: string;
}

/** The feedback of one person on one answer, as it is shown below that answer. */
export function FeedbackNote({ sentiment, labels, comments, user, createdAt }: FeedbackNoteProps) {
  return (
    <div className={styles.note} role="group" aria-label={t('of', { name: user })}>
      <div className={styles.noteHead}>
        <SentimentBadge name={sentiment} />
        {labels.map((label) => (
          <Badge key={label} color="gray" variant="surface">
            {label}
          </Badge>
        ))}
        <Text size="1" color="gray">
          {user} · {formatDay(createdAt)}
        </Text>
      </div>
      {comments.map(({ id, text }) => (
        <Text as="p" size="2" key={id} mt="1">
          {text}
        </Text>
      ))}
    </div>
  );
}
