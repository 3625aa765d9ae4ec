import { Tabs, Text } from '@radix-ui/themes';
import { useState } from 'react';
import type { MessageRole } from '@/lib/wire';
import { transcript as t } from '@/messages/transcript';
import styles from './conversation-history.module.css';
import type { TranscriptMessage } from './message';
import { Transcript } from './transcript';
import type { EarlierMessages } from './transcript-parts';
import type { TurnActions } from './turn-actions';

/*
 * For pages that show another person's conversation read only, such as the administration of feedback. The page
 * fetches the data; this view renders it. It needs a parent with a height, because it scrolls by itself.
 *
 *   conversationId      if it changes, the view starts again at its end
 *   messages            all loaded ones, oldest first: `detail.messageSet.map(chatMessage)` of `@/lib/chat-message`
 *   now                 `useNow()` of `@/lib/use-now`
 *   messageId           the message to open at and to highlight, with or without `message-`; selects the tab as well
 *   earlier, onReachFirst, onRetryEarlier
 *                       only if the messages are loaded in pages: `none` if all are loaded (the default)
 *   renderDisplayObject renders a chart, table or file: a component of the page, which fetches the content from the
 *                       display objects' store and passes it to `DisplayObjectView`. Keep the function stable
 *   onForeignLink, onNavigate, onNotice, renderFooter
 *                       as for `Transcript`; without them links are text and there is nothing below an answer
 */
interface ConversationHistoryProps extends Pick<
  TurnActions,
  'renderDisplayObject' | 'renderFooter' | 'onForeignLink' | 'onNavigate' | 'onNotice'
> {
  conversationId: string;
  messages: readonly TranscriptMessage[];
  now: number;
  messageId?: string | null | undefined;
  earlier?: EarlierMessages | undefined;
  onReachFirst?: (() => void) | undefined;
  onRetryEarlier?: (() => void) | undefined;
}

type View = 'summary' | 'analytics';

const roles: Readonly<Record<View, readonly MessageRole[]>> = {
  summary: ['user', 'summary'],
  analytics: ['user', 'assistant', 'user_proxy'],
};

/** Created once: a list is filtered again only if the filter function changes. */
const filters: Readonly<Record<View, (message: TranscriptMessage) => boolean>> = {
  summary: (message) => roles.summary.includes(message.role),
  analytics: (message) => roles.analytics.includes(message.role),
};

/** The tab that shows a message best. */
export function viewOf(role: MessageRole | undefined): View {
  return role === undefined || roles.summary.includes(role) ? 'summary' : 'analytics';
}

/** A conversation to be read only, as summary or with its answers and queries. */
export function ConversationHistory({ messages, messageId, ...transcript }: ConversationHistoryProps) {
  const linked = messageId?.replace(/^message-/u, '');
  const found = messages.find((message) => message.id === linked);
  const [chosen, setChosen] = useState<View | null>(null);
  const view = chosen ?? viewOf(found?.role);

  return (
    <Tabs.Root
      value={view}
      onValueChange={(to) => {
        setChosen(to === 'summary' ? 'summary' : 'analytics');
      }}
      className={styles.history ?? ''}
    >
      <Tabs.List size="2" aria-label={t('feedback.views')}>
        <Tabs.Trigger value="summary">{t('feedback.summary')}</Tabs.Trigger>
        <Tabs.Trigger value="analytics">{t('feedback.analytics')}</Tabs.Trigger>
      </Tabs.List>
      {(['summary', 'analytics'] as const).map((tab) => (
        <Tabs.Content key={tab} value={tab} className={styles.panel ?? ''}>
          <Transcript
            {...transcript}
            messages={messages}
            passes={filters[tab]}
            highlightId={linked}
            empty={
              <Text as="p" size="2" color="gray" align="center" mt="6">
                {t('feedback.empty')}
              </Text>
            }
          />
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
