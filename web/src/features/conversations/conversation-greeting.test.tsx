import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderPart } from '@/testing/render';
import { ConversationGreeting } from './conversation-greeting';

it('asks for a connector when there is none', async () => {
  const onAddConnector = vi.fn();
  const { user } = renderPart(
    <ConversationGreeting connectors={0} onAddConnector={onAddConnector} onAsk={vi.fn()} />,
  );
  await user.click(screen.getByRole('button', { name: 'Add Connector' }));
  expect(onAddConnector).toHaveBeenCalledOnce();
});

it('tells of the Connectors tab and of sharing, and offers first questions', async () => {
  const onAsk = vi.fn();
  const { user } = renderPart(<ConversationGreeting connectors={2} onAddConnector={vi.fn()} onAsk={onAsk} />);
  expect(screen.getByText(/The Connectors tab shows the tables/u)).toHaveTextContent(
    /Share the conversation with Manage access/u,
  );
  expect(screen.queryByRole('button', { name: 'Add Connector' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'What is in this data?' }));
  expect(onAsk).toHaveBeenCalledExactlyOnceWith('What is in this data?');
});

it('offers nothing to those who may only read', () => {
  renderPart(<ConversationGreeting connectors={0} />);
  expect(screen.queryByRole('button')).toBeNull();
});
