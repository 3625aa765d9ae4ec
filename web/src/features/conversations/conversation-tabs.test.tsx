import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderPart } from '@/testing/render';
import { ConversationTabs } from './conversation-tabs';

function setup(connectors: number, tab: 'summary' | 'analytics' = 'analytics') {
  const onTab = vi.fn();
  const onFilter = vi.fn();
  const tabs = (
    <ConversationTabs narrow={false} filter="all" {...{ tab, connectors, onTab, onFilter }}>
      the messages
    </ConversationTabs>
  );
  return { ...renderPart(tabs), onTab, onFilter };
}

const names = () => screen.getAllByRole('tab').map((tab) => tab.textContent.replace(/^(.+)\1$/u, '$1'));

it('has Summary, Analytics and the number of connectors', async () => {
  const { user, onTab } = setup(2);
  expect(names()).toEqual(['Summary', 'Analytics', 'Connectors (2)']);
  await user.click(screen.getByRole('tab', { name: /^Connectors/u }));
  expect(onTab).toHaveBeenLastCalledWith('connectors');
});

it('has no tab of connectors when there are none', () => {
  setup(0);
  expect(names()).toEqual(['Summary', 'Analytics']);
});

it('offers the filters of messages in Analytics alone', async () => {
  const first = setup(1);
  expect(screen.getAllByRole('radio').map((one) => one.textContent.replace(/^(.+)\1$/u, '$1'))).toEqual([
    'All',
    'Data sources',
    'Executive',
    'Notes',
  ]);
  await first.user.click(screen.getByRole('radio', { name: /Executive/u }));
  expect(first.onFilter).toHaveBeenCalledExactlyOnceWith('executive');
  first.unmount();
  setup(1, 'summary');
  expect(screen.queryByRole('radio')).toBeNull();
});
