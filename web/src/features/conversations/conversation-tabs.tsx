import { SegmentedControl, Tabs } from '@radix-ui/themes';
import type { ReactNode } from 'react';
import sideways from '@/components/surface/sideways.module.css';
import type { MessageFilter } from '@/lib/chat-message';
import { cx } from '@/lib/cx';
import { conversation as t } from '@/messages/conversation';
import { isMessageFilter, messageFilters, type ConversationTab } from './message-filters';
import styles from './conversations.module.css';

interface ConversationTabsProps {
  tab: ConversationTab;
  onTab: (tab: ConversationTab) => void;
  filter: MessageFilter;
  onFilter: (filter: MessageFilter) => void;
  /** The number of its connectors; without any there is no tab for them. */
  connectors: number;
  /** The choice is in the menu of the header. */
  narrow: boolean;
  /** The content of the tab. */
  children: ReactNode;
}

/** The views of a conversation, and the filters of its messages. */
export function ConversationTabs(props: ConversationTabsProps) {
  const { tab, onTab, filter, onFilter, connectors, narrow, children } = props;
  if (narrow) return <div className={styles.tabs}>{children}</div>;
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(to) => {
        if (to === 'summary' || to === 'analytics' || to === 'connectors') onTab(to);
      }}
      className={styles.tabs ?? ''}
    >
      <div className={styles.bar}>
        <Tabs.List size="2">
          <Tabs.Trigger value="summary">{t('tab.summary')}</Tabs.Trigger>
          <Tabs.Trigger value="analytics">{t('tab.analytics')}</Tabs.Trigger>
          {connectors > 0 && (
            <Tabs.Trigger value="connectors">{t('tab.connectors', { count: connectors })}</Tabs.Trigger>
          )}
        </Tabs.List>
        {tab === 'analytics' && (
          <div className={cx(styles.filterControl, sideways.box)}>
            <SegmentedControl.Root
              size="1"
              value={filter}
              aria-label={t('filter')}
              onValueChange={(to) => isMessageFilter(to) && onFilter(to)}
            >
              {messageFilters.map((value) => (
                <SegmentedControl.Item key={value} value={value}>
                  {t(`filter.${value}`)}
                </SegmentedControl.Item>
              ))}
            </SegmentedControl.Root>
          </div>
        )}
      </div>
      <Tabs.Content value={tab}>{children}</Tabs.Content>
    </Tabs.Root>
  );
}
