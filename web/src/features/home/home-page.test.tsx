import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { resetBlueprints } from '@/stores/blueprints-store/blueprints';
import { resetConversations } from '@/stores/conversations-store';
import { dataSources, loadDataSources, resetDataSources } from '@/stores/datasources-store/sources';
import { draftsState, resetDrafts } from '@/stores/drafts-store';
import { resetQuestions } from '@/stores/questions-store';
import { eventually } from '@/testing/eventually';
import { blueprintOf, conversationOf, dataSourceOf } from '@/testing/fixtures/wire';
import { everySource } from '@/lib/datasource-filter';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { Component as HomePage } from './home-page';

const own = blueprintOf({ id: 8, name: 'Weekly numbers', isLibrary: false });
const orders = dataSourceOf({ id: 1, name: 'Retail orders' });
const tickets = dataSourceOf({ id: 2, name: 'Tickets' });

function answer(results: readonly object[], count = results.length): Response {
  return HttpResponse.json({ results, pagination: { count, next: null, previous: null } });
}

/** The requests, by the last segment of the address. */
const sent: { conversation?: unknown; prompt?: unknown } = {};

beforeEach(async () => {
  resetBlueprints();
  resetConversations();
  resetDataSources();
  resetDrafts();
  resetQuestions();
  delete sent.conversation;
  delete sent.prompt;
  server.use(
    http.get(api('discourse/blueprints'), ({ request }) => {
      const { searchParams } = new URL(request.url);
      if (searchParams.get('page_size') === '1') return answer([own], 9);
      if (searchParams.get('search') === 'nothing') return answer([]);
      return answer(searchParams.get('library_scope') === 'exclude' ? [own] : [blueprintOf()]);
    }),
    http.get(api('discourse/conversations'), () =>
      page(
        [1, 2, 3, 4, 5, 6].map((n) =>
          conversationOf({
            id: `c${n}`,
            name: `Conversation ${n}`,
            updatedAt: `2026-11-2${6 - n}T08:00:00.000Z`,
            unreadMessages: n === 1 ? 2 : 0,
            isStreaming: n === 2,
          }),
        ),
      ),
    ),
    http.get(api('memory/datasources'), () => page([orders, tickets])),
    http.get(api('memory/datasources/type'), () => page([])),
    http.get(api('memory/datasources/questions'), ({ request }) => {
      const of = new URL(request.url).searchParams.get('data_sources') ?? '';
      return page([{ text: `How many rows are there in ${of}?`, dataSourceId: Number(of.split(',')[0]) }]);
    }),
    http.post(api('discourse/conversations'), async ({ request }) => {
      sent.conversation = await request.json();
      return HttpResponse.json(conversationOf({ id: 'new' }));
    }),
    http.get(api('discourse/conversations/:id'), () => HttpResponse.json(conversationOf({ id: 'new' }))),
    http.get(api('discourse/conversations/:id/data-sources'), () => page([])),
    http.post(api('discourse/user-text'), async ({ request }) => {
      sent.prompt = await request.json();
      return HttpResponse.json({});
    }),
  );
  await loadDataSources();
});

const routes = { '/home': <HomePage />, '*': 'elsewhere' };

function chips(): (string | null)[] {
  const box = screen.getByRole('region', { name: 'Ask a question' });
  return within(box)
    .queryAllByRole('button', { name: /^Remove / })
    .map((button) => button.getAttribute('aria-label'));
}

describe('HomePage', () => {
  it('asks at once with the chosen connectors, and goes to the conversation', async () => {
    const { user, where } = renderAt('/home', routes);
    await user.click(await screen.findByRole('button', { name: /^Tickets/ }));
    expect(chips()).toEqual(['Remove Tickets']);
    await user.type(screen.getByRole('textbox', { name: 'Message' }), 'How many are open?{Enter}');
    await eventually(() => expect(where()).toBe('/conversations/new'));
    expect(sent.conversation).toMatchObject({ name: 'How many are open?', dataSources: [2] });
    await eventually(() =>
      expect(sent.prompt).toMatchObject({ dataSources: [2], message: { text: 'How many are open?' } }),
    );
  });

  it('does not send an empty question', async () => {
    const { user } = renderAt('/home', routes);
    await user.type(screen.getByRole('textbox', { name: 'Message' }), '  {Enter}');
    expect(screen.getByRole('button', { name: 'Send' })).toBeDisabled();
    expect(sent.conversation).toBeUndefined();
  });

  it('keeps the question when the conversation cannot be made', async () => {
    server.use(http.post(api('discourse/conversations'), () => problem(500, 'I500', 'no')));
    const { user, where } = renderAt('/home', routes);
    const box = screen.getByRole('textbox', { name: 'Message' });
    await user.type(box, 'How many?{Enter}');
    await eventually(() => expect(screen.getByRole('button', { name: 'Send' })).toBeEnabled());
    expect(box).toHaveValue('How many?');
    expect(where()).toBe('/home');
  });

  it('offers questions of the last used connectors, and asks one of them with its own connector', async () => {
    const { user, where } = renderAt('/home', routes);
    await user.type(screen.getByRole('textbox', { name: 'Message' }), 'half a thought');
    await user.click(await screen.findByRole('button', { name: 'How many rows are there in 1,2?' }));
    await eventually(() => expect(where()).toBe('/conversations/new'));
    expect(sent.conversation).toMatchObject({ dataSources: [1] });
    // Text that was being typed moves to the box of the conversation.
    expect(draftsState.drafts['new']?.text).toBe('half a thought');
  });

  it('offers questions of the connectors that are chosen', async () => {
    const { user } = renderAt('/home', routes);
    await screen.findByRole('button', { name: 'How many rows are there in 1,2?' });
    await user.click(await screen.findByRole('button', { name: /^Tickets/ }));
    expect(await screen.findByRole('button', { name: 'How many rows are there in 2?' })).toBeVisible();
  });

  it('shows the last five conversations, what is new and what works, and the way to all', async () => {
    renderAt('/home', routes);
    const recent = screen.getByRole('region', { name: 'Recent' });
    await within(recent).findByText('Conversation 1');
    const links = within(recent).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/conversations',
      '/conversations/c1',
      '/conversations/c2',
      '/conversations/c3',
      '/conversations/c4',
      '/conversations/c5',
    ]);
    expect(within(links[1]!).getByRole('img', { name: 'New answer' })).toBeVisible();
    expect(within(links[2]!).getByText('working…')).toBeVisible();
    expect(links[0]).toHaveTextContent('All conversations');
  });

  it('has its three cards in order, the last one disabled', async () => {
    renderAt('/home', routes);
    expect(await screen.findByText('9')).toBeVisible();
    const buttons = within(screen.getByRole('list', { name: 'Ways to begin' })).getAllByRole('button');
    expect(buttons.map((button) => button.textContent)).toEqual([
      expect.stringMatching(/^Start with a blueprint 9/u),
      expect.stringMatching(/^Start new conversation/u),
      expect.stringMatching(/^Last activity/u),
    ]);
    expect(buttons[2]).toBeDisabled();
  });

  it('starts with the chosen connectors or without, and from a card with Control and Enter', async () => {
    const { user, where } = renderAt('/home', routes);
    expect(await screen.findByRole('button', { name: 'Start without connectors' })).toBeVisible();
    await user.click(await screen.findByRole('button', { name: /^Tickets/ }));
    expect(screen.getByRole('button', { name: 'Start with 1 connector' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: /^Retail orders/ }));
    expect(screen.getByRole('button', { name: 'Start with 2 connectors' })).toBeVisible();
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(where()).toBe('/conversations/new?dataSources%5B%5D=2&dataSources%5B%5D=1');
  });

  it('shows the connectors from the box, with the search at hand', async () => {
    const { user, where } = renderAt('/home?activeTab=blueprint', routes);
    await user.click(screen.getByRole('button', { name: 'Connector' }));
    expect(where()).toBe('/home?activeTab=datasource');
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Search connectors' })).toHaveFocus());
  });

  it('shows the connectors at an address of the last activity, whose card is disabled', async () => {
    renderAt('/home?activeTab=activity', routes);
    expect(await screen.findByRole('button', { name: 'Start without connectors' })).toBeVisible();
    expect(screen.getByRole('button', { name: /^Start new conversation/u })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    expect(screen.getByRole('button', { name: /^Last activity/u })).toBeDisabled();
  });

  it('forgets a chosen connector that is gone', async () => {
    const { user } = renderAt('/home', routes);
    await user.click(await screen.findByRole('button', { name: /^Tickets/ }));
    server.use(http.get(api('memory/datasources'), () => page([orders])));
    await dataSources.refresh(everySource);
    await eventually(() => expect(chips()).toEqual([]));
    expect(await screen.findByRole('button', { name: 'Start without connectors' })).toBeVisible();
  });

  it('shows ones own blueprints before those of the library', async () => {
    const { user, where } = renderAt('/home', routes);
    await user.click(screen.getByRole('button', { name: /Start with a blueprint/u }));
    await screen.findByRole('article', { name: 'Weekly numbers' });
    expect(where()).toBe('/home?activeTab=blueprint');
    expect(screen.getAllByRole('article').map((card) => card.getAttribute('aria-label'))).toEqual([
      'Weekly numbers',
      'Region deep dive',
    ]);
    expect(screen.getByRole('link', { name: 'Library Blueprints' })).toHaveAttribute(
      'href',
      '/blueprint/library',
    );
    await user.click(screen.getByRole('radio', { name: 'Library' }));
    expect(screen.getAllByRole('article').map((card) => card.getAttribute('aria-label'))).toEqual([
      'Region deep dive',
    ]);
    expect(screen.getByText('1 blueprint')).toBeVisible();
  });

  it('says when a search for blueprints finds nothing', async () => {
    const { user } = renderAt('/home?activeTab=blueprint', routes);
    await screen.findByRole('article', { name: 'Weekly numbers' });
    await user.type(screen.getByRole('combobox', { name: 'Search blueprints' }), 'nothing');
    expect(
      await screen.findByRole('heading', { name: 'No results found. Change search request and try again' }),
    ).toBeVisible();
    expect(screen.queryByRole('article')).toBeNull();
  });
});
