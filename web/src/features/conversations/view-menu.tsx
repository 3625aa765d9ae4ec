import { Button } from '@radix-ui/themes';
import { ChevronDown } from 'lucide-react';
import { Menu } from '@/components/menu/menu';
import type { MessageFilter } from '@/lib/chat-message';
import { conversation as t } from '@/messages/conversation';
import { isMessageFilter, messageFilters, type ConversationTab } from './message-filters';

interface ViewMenuProps {
  tab: ConversationTab;
  onTab: (tab: ConversationTab) => void;
  filter: MessageFilter;
  onFilter: (filter: MessageFilter) => void;
  connectors: number;
}

/** The tabs and filters as a menu, for narrow windows without space for a row of them. */
export function ViewMenu({ tab, onTab, filter, onFilter, connectors }: ViewMenuProps) {
  const names = {
    summary: t('tab.summary'),
    analytics: t('tab.analytics'),
    connectors: t('tab.connectors', { count: connectors }),
  };
  return (
    <Menu
      align="end"
      trigger={
        <Button size="1" variant="soft" color="gray" aria-label={t('view', { name: names[tab] })}>
          {tab === 'analytics' && filter !== 'all' ? t(`filter.${filter}`) : names[tab]}
          <ChevronDown size={13} aria-hidden />
        </Button>
      }
    >
      {(M) => (
        <>
          <M.RadioGroup
            value={tab}
            onValueChange={(to) => {
              if (to === 'summary' || to === 'analytics' || to === 'connectors') onTab(to);
            }}
          >
            <M.RadioItem value="summary">{names.summary}</M.RadioItem>
            <M.RadioItem value="analytics">{names.analytics}</M.RadioItem>
            {connectors > 0 && <M.RadioItem value="connectors">{names.connectors}</M.RadioItem>}
          </M.RadioGroup>
          {tab === 'analytics' && (
            <>
              <M.Separator />
              <M.Label>{t('filter')}</M.Label>
              <M.RadioGroup value={filter} onValueChange={(to) => isMessageFilter(to) && onFilter(to)}>
                {messageFilters.map((value) => (
                  <M.RadioItem key={value} value={value}>
                    {t(`filter.${value}`)}
                  </M.RadioItem>
                ))}
              </M.RadioGroup>
            </>
          )}
        </>
      )}
    </Menu>
  );
}
