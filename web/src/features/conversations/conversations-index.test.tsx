import { screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import {
  loadConversations,
  removeConversation,
  resetConversations,
  searchConversations,
} from '@/stores/conversations-store';
import { conversationOf } from '@/testing/fixtures/wire';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, page, server } from '@/testing/server';
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

it('waits for what the search of the address finds, and says that none is open if that is nothing', async () => {
  server.use(http.get(api('discourse/conversations'), () => page([])));
  renderAt('/conversations?search=quartz', routes);
  expect(screen.getByRole('heading', { name: 'Loading conversations' })).toBeVisible();
  await searchConversations('all', 'quartz');
  expect(await screen.findByRole('heading', { name: 'No conversation is open' })).toBeVisible();
});

it('opens the first one that is found, not the first of all', async () => {
  server.use(
    http.get(api('discourse/conversations'), ({ request }) =>
      page([conversationOf({ id: new URL(request.url).searchParams.has('search') ? 'c9' : 'c7' })]),
    ),
  );
  await loadConversations('all');
  const { where } = renderAt('/conversations?search=quartz', routes);
  expect(where()).toBe('/conversations?search=quartz');
  await searchConversations('all', 'quartz');
  await screen.findByText('the conversation');
  expect(where()).toBe('/conversations/c9?search=quartz');
});

it('leads to a new one when there is none', async () => {
  server.use(http.get(api('discourse/conversations'), () => page([])));
  await loadConversations('all');
  renderAt('/conversations', routes);
  expect(await screen.findByRole('link', { name: /conversation/iu })).toHaveAttribute(
    'href',
    '/conversations/new',
  );
  expect(screen.getByRole('heading', { name: 'Ask your first question' })).toBeVisible();
});

it('says that none is open once the only one of a filter is deleted, and nothing of a first question', async () => {
  server.use(
    http.get(api('discourse/conversations'), () => page([conversationOf({ id: 'c7', status: 'archived' })])),
    http.delete(api('discourse/conversations/c7'), () => new HttpResponse(null, { status: 204 })),
  );
  await loadConversations('archived');
  await removeConversation('c7');
  renderAt('/conversations?filter=archived', routes);
  expect(screen.getByRole('heading', { name: 'No conversation is open' })).toBeVisible();
  expect(screen.getByText('Choose one from another list, or start a new one.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Start new conversation' })).toBeVisible();
});

it('does not call a question the first when all others are archived', async () => {
  server.use(
    http.get(api('discourse/conversations'), ({ request }) =>
      page(request.url.includes('archived') ? [conversationOf({ status: 'archived' })] : []),
    ),
  );
  await loadConversations('all');
  await loadConversations('archived');
  renderAt('/conversations', routes);
  expect(screen.getByRole('heading', { name: 'No conversation is open' })).toBeVisible();
});
