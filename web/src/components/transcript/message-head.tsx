import { Badge, Flex, Spinner, Text } from '@radix-ui/themes';
import { Bot, FileText, ListChecks, type LucideIcon, TerminalSquare, User, Wrench } from 'lucide-react';
import type { ReactNode } from 'react';

import { type MessageRole, roleLabel, speaker, type TranscriptMessage } from './message';
import styles from './message-card.module.css';
import { fullTime, relativeTime } from './relative-time';

const icons = {
  assistant: Bot,
  coordinator: ListChecks,
  internal: Wrench,
  summary: FileText,
  user: User,
  user_proxy: TerminalSquare,
} as const satisfies Record<MessageRole, LucideIcon>;

/** Props of {@link MessageHead}. */
export interface MessageHeadProps {
  message: TranscriptMessage;
  now: number;
  /** The actions on the right. */
  children: ReactNode;
}

/** Who said it, as what, and when. */
export function MessageHead({ message, now, children }: MessageHeadProps) {
  const Icon = icons[message.role];
  const label = roleLabel(message.role);
  return (
    <Flex align="center" gap="2" className={styles.head}>
      <span className={styles.avatar} aria-hidden>
        {message.status === 'streaming' ? <Spinner size="1" /> : <Icon size={13} />}
      </span>
      <Text size="2" weight="medium" truncate>
        {speaker(message)}
      </Text>
      {label !== null && (
        <Badge
          size="1"
          variant="soft"
          className={styles.strong}
          {...(message.role === 'summary' ? {} : { color: 'gray' as const })}
        >
          {label}
        </Badge>
      )}
      <Text asChild size="1" color="gray" className={styles.time}>
        <time dateTime={message.createdAt} title={fullTime(message.createdAt)}>
          {relativeTime(message.createdAt, now)}
        </time>
      </Text>
      {children}
    </Flex>
  );
}
