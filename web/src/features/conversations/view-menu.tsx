import { Button, DropdownMenu } from '@radix-ui/themes';
import { ChevronDown } from 'lucide-react';
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

/** The tabs and filters as a menu, for where there is no room for a row of them. */
export function ViewMenu({ tab, onTab, filter, onFilter, connectors }: ViewMenuProps) {
  const names = {
    summary: t('tab.summary'),
    analytics: t('tab.analytics'),
    connectors: t('tab.connectors', { count: connectors }),
  };
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger>
        <Button size="1" variant="soft" color="gray" aria-label={t('view', { name: names[tab] })}>
          {tab === 'analytics' && filter !== 'all' ? t(`filter.${filter}`) : names[tab]}
          <ChevronDown size={13} aria-hidden />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Content align="end">
        <DropdownMenu.RadioGroup
          value={tab}
          onValueChange={(to) => {
            if (to === 'summary' || to === 'analytics' || to === 'connectors') onTab(to);
          }}
        >
          <DropdownMenu.RadioItem value="summary">{names.summary}</DropdownMenu.RadioItem>
          <DropdownMenu.RadioItem value="analytics">{names.analytics}</DropdownMenu.RadioItem>
          {connectors > 0 && (
            <DropdownMenu.RadioItem value="connectors">{names.connectors}</DropdownMenu.RadioItem>
          )}
        </DropdownMenu.RadioGroup>
        {tab === 'analytics' && (
          <>
            <DropdownMenu.Separator />
            <DropdownMenu.Label>{t('filter')}</DropdownMenu.Label>
            <DropdownMenu.RadioGroup
              value={filter}
              onValueChange={(to) => isMessageFilter(to) && onFilter(to)}
            >
              {messageFilters.map((value) => (
                <DropdownMenu.RadioItem key={value} value={value}>
                  {t(`filter.${value}`)}
                </DropdownMenu.RadioItem>
              ))}
            </DropdownMenu.RadioGroup>
          </>
        )}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}
