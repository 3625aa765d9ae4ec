import { readFileSync } from 'node:fs';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { resetConversations } from '@/stores/conversations-store';
import { messageSearch } from '@/stores/message-search-store';
import { conversationOf } from '@/testing/fixtures/wire';
import { hold } from '@/testing/hold';
import { renderAt, renderPart } from '@/testing/render';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { ConversationList } from './conversation-list';

const revenue = conversationOf();
const churn = conversationOf({ id: 'c2', name: 'Churn in spring' });

const foundMessage = {
  id: 'm3',
  conversationId: 'c9',
  conversationName: 'Sales by city',
  role: 'user',
  excerpt: 'And of Oslo?',
  createdAt: '2026-11-20T10:00:00.000Z',
};
/** The search in messages fails. */
let failing: boolean;

beforeEach(() => {
  failing = false;
  resetConversations();
  messageSearch.reset();
  server.use(
    http.get(api('discourse/messages'), ({ request }) => {
      if (failing) return problem(503, 'unavailable', 'Not now');
      return page(new URL(request.url).searchParams.get('search') === 'oslo' ? [foundMessage] : []);
    }),
    http.get(api('discourse/conversations'), ({ request }) => {
      const { searchParams } = new URL(request.url);
      if (searchParams.get('status') === 'archived') return page([]);
      const search = searchParams.get('search');
      if (search === null) return page([revenue, churn]);
      return page([revenue, churn].filter(({ name }) => name.toLowerCase().includes(search)));
    }),
  );
});

function names(list: string): (string | null)[] {
  return within(screen.getByRole('list', { name: list }))
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'));
}

describe('ConversationList', () => {
  it('is 380 px wide', () => {
    // Nothing has a size in jsdom: the test reads the CSS rule.
    const sheet = readFileSync('src/features/conversations/conversation-list.module.css', 'utf8');
    expect(sheet).toMatch(/\.panel \{[^}]*\bwidth: 380px;/u);
  });

  it('SearchesWithinTheFilter, and goesBackToTheListWhenTheSearchIsCleared', async () => {
    const { user } = renderPart(<ConversationList narrow={false} />);
    await screen.findByText('Churn in spring');
    await user.type(screen.getByLabelText('Search conversations'), 'spring');
    await screen.findByRole('list', { name: 'Conversations found' });
    await expect.poll(() => names('Conversations found')).toEqual(['/conversations/c2']);
    await user.click(screen.getByRole('tab', { name: 'Archived' }));
    expect(await screen.findByText('No results found')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Clear the search' }));
    expect(await screen.findByText('Conversations that you archive appear here.')).toBeVisible();
    await user.click(screen.getByRole('tab', { name: 'All' }));
    expect(names('All conversations')).toEqual(['/conversations/c1', '/conversations/c2']);
  });

  it('shows what was said with the words, and leads there', async () => {
    const { user, where } = renderAt('/conversations/c1', {
      '/conversations/:id': <ConversationList narrow={false} />,
    });
    await user.type(await screen.findByLabelText('Search conversations'), 'oslo');
    const said = await screen.findByRole('region', { name: 'Said in conversations' });
    const link = within(said).getByRole('link', { name: /Sales by city.*Asked: And of Oslo/u });
    // The address follows the words a little later.
    await expect.poll(() => link.getAttribute('href'), { timeout: 10_000 }).toContain('search=oslo');
    await user.click(link);
    expect(where()).toBe('/conversations/c9?search=oslo&message_id=message-m3');
    failing = true;
    await user.type(screen.getByLabelText('Search conversations'), ' 2026');
    expect(await screen.findByText('What was said could not be searched.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Clear the search' }));
    await expect.poll(() => screen.queryByRole('region', { name: 'Said in conversations' })).toBeNull();
  });

  it('KeepsItsFilterInTheAddress, from one conversation to the next', async () => {
    const { user, where } = renderAt('/conversations/c1?filter=favorite&message_id=m1', {
      '/conversations/:id': <ConversationList narrow={false} />,
    });
    expect(screen.getByRole('tab', { name: 'Favorite' })).toHaveAttribute('aria-selected', 'true');
    await screen.findByText('Churn in spring');
    expect(names('Favorite conversations')).toEqual([
      '/conversations/c1?filter=favorite',
      '/conversations/c2?filter=favorite',
    ]);
    await user.click(screen.getByRole('tab', { name: 'User' }));
    expect(where()).toBe('/conversations/c1?filter=user&message_id=m1');
    await user.type(screen.getByLabelText('Search conversations'), 'spring');
    // Each link is updated after the address has changed, not all at once.
    await screen.findByRole('list', { name: 'Conversations found' });
    await expect
      .poll(() => names('Conversations found'), { timeout: 10_000 })
      .toEqual(['/conversations/c2?filter=user&search=spring']);
    await user.click(await screen.findByRole('link', { name: /Churn/u }));
    expect(where()).toBe('/conversations/c2?filter=user&search=spring');
    expect(screen.getByLabelText('Search conversations')).toHaveValue('spring');
  });

  it('divides the conversations by days, with a short time at each', async () => {
    const now = Date.now();
    const ago = (days: number): string => new Date(now - days * 86_400_000).toISOString();
    server.use(
      http.get(api('discourse/conversations'), () =>
        page([
          conversationOf({ id: 'c1', name: 'Now', updatedAt: ago(0) }),
          conversationOf({ id: 'c2', name: 'Before', updatedAt: ago(1) }),
          conversationOf({ id: 'c3', name: 'Long ago', updatedAt: '2024-03-05T12:00:00.000Z' }),
        ]),
      ),
    );
    renderPart(<ConversationList narrow={false} />);
    await screen.findByText('Long ago');
    expect(screen.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)).toEqual([
      'Today',
      'Yesterday',
      'Older',
    ]);
    expect(within(screen.getByRole('link', { name: /Long ago/u })).getByText('Mar 5, 2024')).toBeVisible();
  });

  it('marks what works, what is new, what is shared and what is a favorite', async () => {
    server.use(
      http.get(api('discourse/conversations'), () =>
        page([
          conversationOf({ id: 'c1', isStreaming: true, unreadMessages: 1 }),
          conversationOf({ id: 'c2', unreadMessages: 2, isFavorite: true }),
          conversationOf({ id: 'c3', ownerStatus: 'shared' }),
        ]),
      ),
    );
    renderPart(<ConversationList narrow={false} />);
    await screen.findByText('Assistant is working');
    const [works, unread, shared] = screen.getAllByRole('link', { name: /Revenue/u });
    expect(within(works!).queryByRole('img', { name: 'Assistant has completed the request' })).toBeNull();
    expect(within(unread!).getByRole('img', { name: 'Assistant has completed the request' })).toBeVisible();
    expect(within(unread!).getByLabelText('Favorite')).toBeVisible();
    expect(within(shared!).getByLabelText('Shared by Ada Lindqvist')).toBeVisible();
  });

  it('has a menu for each, which renames without going there', async () => {
    server.use(http.patch(api('discourse/conversations/c2'), () => HttpResponse.json(churn)));
    const { user, where } = renderAt('/conversations/c1', {
      '/conversations/:id': <ConversationList narrow={false} />,
    });
    await user.click(await screen.findByRole('button', { name: 'More actions for Churn in spring' }));
    await user.click(screen.getByRole('menuitem', { name: 'Rename' }));
    const name = screen.getByRole('textbox', { name: 'Name' });
    await user.clear(name);
    await user.type(name, 'Churn of May{Enter}');
    expect(await screen.findByRole('link', { name: /Churn of May/u })).toBeVisible();
    expect(where()).toBe('/conversations/c1');
  });

  it('goes through its filters with the arrow keys', async () => {
    const { user, where } = renderAt('/conversations', {
      '/conversations': <ConversationList narrow={false} />,
    });
    await screen.findByText('Churn in spring');
    await user.click(screen.getByRole('tab', { name: 'All' }));
    await user.keyboard('{ArrowRight}{ArrowRight}');
    expect(screen.getByRole('tab', { name: 'User' })).toHaveFocus();
    expect(where()).toBe('/conversations?filter=user');
    expect(await screen.findByRole('list', { name: 'User conversations' })).toBeVisible();
  });

  it('goes from one conversation to the next with j and k, and with the arrows from within', async () => {
    const { user } = renderAt('/conversations/c1', { '*': <ConversationList narrow={false} /> });
    await screen.findByText('Churn in spring');
    const [first, second] = screen.getAllByRole('link', { name: /Revenue|Churn/u });
    await user.keyboard('{ArrowDown}');
    expect(document.body).toHaveFocus();
    await user.keyboard('j');
    expect(first).toHaveFocus();
    await user.keyboard('j');
    expect(second).toHaveFocus();
    await user.keyboard('{ArrowUp}');
    expect(first).toHaveFocus();
    await user.keyboard('k');
    expect(first).toHaveFocus();
  });

  it('shows six rows while it loads, and fetches more of many', async () => {
    const answer = hold();
    server.use(
      http.get(api('discourse/conversations'), async ({ request }) => {
        await answer.held;
        const second = new URL(request.url).searchParams.get('page') === '2';
        return second ? page([churn]) : page([revenue], '?page=2');
      }),
    );
    const { user } = renderPart(<ConversationList narrow={false} />);
    expect(screen.getByRole('status', { name: 'Loading conversations' }).children).toHaveLength(6);
    answer.release();
    await user.click(await screen.findByRole('button', { name: 'Load More' }));
    await screen.findByText('Churn in spring');
    expect(screen.queryByRole('button', { name: 'Load More' })).toBeNull();
  });

  it('asks for the archive when it is first looked at', async () => {
    const asked: (string | null)[] = [];
    server.use(
      http.get(api('discourse/conversations'), ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('status'));
        return page([revenue]);
      }),
    );
    const { user } = renderPart(<ConversationList narrow={false} />);
    await screen.findByRole('list', { name: 'All conversations' });
    expect(asked).toEqual([null]);
    await user.click(screen.getByRole('tab', { name: 'Archived' }));
    await screen.findByRole('list', { name: 'Archived conversations' });
    expect(asked).toEqual([null, 'archived']);
  });

  it('offers another try when it fails', async () => {
    server.use(http.get(api('discourse/conversations'), () => problem(500, 'I500', 'no')));
    const { user } = renderPart(<ConversationList narrow={false} />);
    expect(await screen.findByText('The conversations could not be loaded')).toBeVisible();
    server.use(http.get(api('discourse/conversations'), () => page([churn])));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Churn in spring')).toBeVisible();
  });
});
