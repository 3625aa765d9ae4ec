import { screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { loadConversations, resetConversations } from '@/stores/conversations-store';
import { conversationOf } from '@/testing/fixtures/wire';
import { renderAt } from '@/testing/render';
import { api, http, page, server } from '@/testing/server';
import { Component as ConversationsIndex } from './conversations-index';

const routes = { '/conversations': <ConversationsIndex />, '/conversations/:id': 'the conversation' };

beforeEach(resetConversations);

it('opens the first conversation of the list, and keeps its filter', async () => {
  server.use(
    http.get(api('discourse/conversations'), () =>
      page([conversationOf({ id: 'c7', isFavorite: true }), conversationOf({ id: 'c8', isFavorite: true })]),
    ),
  );
  await loadConversations('favorite');
  const { where } = renderAt('/conversations?filter=favorite', routes);
  await screen.findByText('the conversation');
  expect(where()).toBe('/conversations/c7?filter=favorite');
});

it('leads to a new one where there is none', async () => {
  server.use(http.get(api('discourse/conversations'), () => page([])));
  await loadConversations('all');
  renderAt('/conversations', routes);
  expect(await screen.findByRole('link', { name: /conversation/iu })).toHaveAttribute(
    'href',
    '/conversations/new',
  );
});
