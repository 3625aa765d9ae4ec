import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { resetBlueprints } from '@/stores/blueprints-store/blueprints';
import { conversationSearch } from '@/stores/conversation-search-store';
import { conversationsState, putConversation, resetConversations } from '@/stores/conversations-store';
import { messageSearch } from '@/stores/message-search-store';
import { loadDataSources, resetDataSources } from '@/stores/datasources-store/sources';
import { preferencesState, setAppearance } from '@/stores/preferences-store';
import { blueprintOf, conversationOf, dataSourceOf } from '@/testing/fixtures/wire';
import { personOf, signInAs } from '@/testing/person';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { Hands } from '../hands';

// Every page exists, so that what is shown depends on the person only.
vi.mock('../pages', () => ({ hasPage: () => true }));

function Frame() {
  const [finding, setFinding] = useState(false);
  return (
    <main>
      <Hands finding={finding} onFinding={setFinding} />
      <textarea aria-label="Message" />
    </main>
  );
}

function names(group: string): (string | null)[] {
  return within(screen.getByRole('group', { name: group }))
    .getAllByRole('option')
    .map((option) => option.querySelector('span')?.textContent ?? null);
}

const foundMessage = {
  id: 'm3',
  conversationId: 'c9',
  conversationName: 'Sales by city',
  role: 'assistant',
  excerpt: '… of Oslo were 12,400 …',
  createdAt: '2026-11-20T10:00:00.000Z',
};
/** The searches in what was said. */
let searched: string[];

beforeEach(async () => {
  searched = [];
  resetBlueprints();
  resetConversations();
  resetDataSources();
  conversationSearch.reset();
  messageSearch.reset();
  setAppearance('system');
  server.use(
    http.get(api('discourse/conversations'), ({ request }) => {
      const search = new URL(request.url).searchParams.get('search');
      return page(
        search === null || search === 'churn' ? [conversationOf({ id: 'c2', name: 'Churn in spring' })] : [],
      );
    }),
    http.get(api('discourse/blueprints'), ({ request }) => {
      const search = new URL(request.url).searchParams.get('search') ?? '';
      return page([blueprintOf()].filter(({ name }) => name.toLowerCase().includes(search)));
    }),
    http.get(api('discourse/messages'), ({ request }) => {
      const search = new URL(request.url).searchParams.get('search');
      searched.push(search ?? '');
      return page(search === 'oslo' ? [foundMessage] : []);
    }),
    http.get(api('memory/datasources'), () => page([dataSourceOf({ id: 4, name: 'Retail orders' })])),
    http.get(api('memory/datasources/type'), () => page([])),
  );
  await signInAs(personOf());
  await loadDataSources();
});

describe('Palette', () => {
  it('finds words in what was said, and opens the conversation at that message', async () => {
    const { user, where } = renderAt('/home', { '*': <Frame /> });
    await user.keyboard('{Control>}k{/Control}');
    await screen.findByText('Churn in spring');
    await user.type(screen.getByRole('combobox'), 'os');
    await expect.poll(() => screen.queryByText('Churn in spring')).toBeNull();
    await user.type(screen.getByRole('combobox'), 'lo');
    await user.click(await screen.findByRole('option', { name: /Sales by city.*… of Oslo were 12,400 …/u }));
    expect(where()).toBe('/conversations/c9?message_id=message-m3');
    // Two letters would be found nearly everywhere.
    expect(searched).toEqual(['oslo']);
  });

  it('opens with Control and K, also from the message box, and closes with Escape', async () => {
    const { user } = renderAt('/home', { '*': <Frame /> });
    await user.click(screen.getByRole('textbox', { name: 'Message' }));
    await user.keyboard('{Control>}k{/Control}');
    expect(await screen.findByRole('dialog', { name: 'Find anything' })).toBeVisible();
    expect(screen.getByRole('combobox')).toHaveFocus();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByRole('textbox', { name: 'Message' })).toHaveFocus();
  });

  it('shows the last conversations, actions and pages before anything is typed', async () => {
    const { user, where } = renderAt('/home', { '*': <Frame /> });
    await user.keyboard('{Control>}k{/Control}');
    expect(await screen.findByText('Churn in spring')).toBeVisible();
    expect(names('Actions')).toEqual([
      'New conversation',
      'New blueprint',
      'Appearance: Light',
      'Appearance: Dark',
      'Show the keys',
      'Log out',
    ]);
    expect(names('Pages')).toContain('Memories');
    expect(names('Pages')).not.toContain('Agents');
    await user.click(screen.getByText('Churn in spring'));
    expect(where()).toBe('/conversations/c2');
  });

  it.each([
    ['retail', 'Connectors', 'Retail orders', '/datasource/4'],
    ['deep', 'Blueprints', 'Region deep dive', '/blueprints/3'],
    ['churn', 'Conversations', 'Churn in spring', '/conversations/c2'],
    ['mem', 'Pages', 'Memories', '/memories'],
  ])('finds by %s among the %s', async (words, group, name, path) => {
    const { user, where } = renderAt('/home', { '*': <Frame /> });
    await user.keyboard('{Control>}k{/Control}');
    await screen.findByText('Churn in spring');
    await user.type(screen.getByRole('combobox'), words);
    await expect.poll(() => screen.queryByRole('group', { name: group })).not.toBeNull();
    await expect.poll(() => names(group)).toContain(name);
    await expect.poll(() => screen.getAllByRole('option')).toHaveLength(1);
    await user.keyboard('{Enter}');
    expect(where().replace(/\d+$/u, '')).toBe(path.replace(/\d+$/u, ''));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it.each([
    ['new blueprint', 'Actions', 'New blueprint'],
    ['blueprint new', 'Actions', 'New blueprint'],
    ['create chat', 'Actions', 'New conversation'],
    ['orders connector', 'Connectors', 'Retail orders'],
    ['data orders retail', 'Connectors', 'Retail orders'],
    ['open account usage', 'Pages', 'Account'],
    ['go to connectors', 'Pages', 'Connectors'],
    ['spring conversation churn', 'Conversations', 'Churn in spring'],
    ['blueprint dive region', 'Blueprints', 'Region deep dive'],
    ['blueprint', 'Blueprints', 'Region deep dive'],
  ])('finds words of kinds and in other orders: %s', async (words, group, name) => {
    server.use(
      http.get(api('discourse/conversations'), ({ request }) => {
        const search = new URL(request.url).searchParams.get('search') ?? '';
        const all = [
          conversationOf({ id: 'c2', name: 'Churn in spring' }),
          conversationOf({ id: 'c3', name: 'Spring' }),
        ];
        return page(all.filter((one) => one.name.toLowerCase().includes(search)));
      }),
    );
    const { user } = renderAt('/home', { '*': <Frame /> });
    await user.keyboard('{Control>}k{/Control}');
    await screen.findByText('Churn in spring');
    await user.type(screen.getByRole('combobox'), words);
    await expect.poll(() => screen.queryByRole('group', { name: group })).not.toBeNull();
    await expect.poll(() => names(group)).toEqual([name]);
  });

  it('offers nobody a page to make what they may not make', async () => {
    const { user } = renderAt('/home', { '*': <Frame /> });
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByRole('combobox'), 'new agent');
    expect(await screen.findByText('Nothing was found for “new agent”.')).toBeVisible();
  });

  it('says what was not found', async () => {
    const { user } = renderAt('/home', { '*': <Frame /> });
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByRole('combobox'), 'xyz');
    expect(await screen.findByText('Nothing was found for “xyz”.')).toBeVisible();
  });

  it('says when the server cannot be asked, and keeps pages and actions', async () => {
    server.use(
      http.get(api('discourse/conversations'), () => problem(500, 'I500', 'no')),
      http.get(api('discourse/blueprints'), () => problem(500, 'I500', 'no')),
    );
    const { user } = renderAt('/home', { '*': <Frame /> });
    await user.keyboard('{Control>}k{/Control}');
    expect(await screen.findByText(/^The server cannot be reached/)).toBeVisible();
    expect(names('Actions')).toContain('Log out');
  });

  it('changes the appearance', async () => {
    const { user } = renderAt('/home', { '*': <Frame /> });
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByRole('combobox'), 'dark');
    await user.keyboard('{Enter}');
    expect(preferencesState.appearance).toBe('dark');
  });

  it('archives the conversation that is open, once that is confirmed', async () => {
    putConversation(conversationOf({ id: 'c1' }));
    server.use(http.patch(api('user/me/conversations/c1/status'), () => HttpResponse.json({})));
    const { user } = renderAt('/conversations/c1', { '*': <Frame /> });
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByRole('combobox'), 'archive');
    await user.keyboard('{Enter}');
    const dialog = await screen.findByRole('alertdialog', { name: 'Archive conversation' });
    expect(conversationsState.byId['c1']?.status).toBe('active');
    await user.click(within(dialog).getByRole('button', { name: 'Archive' }));
    await expect.poll(() => conversationsState.byId['c1']?.status).toBe('archived');
  });
});
