import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { resetConversations } from '@/stores/conversations-store';
import { conversationOf } from '@/testing/fixtures/wire';
import { renderAt, renderPart } from '@/testing/render';
import { api, http, page, server } from '@/testing/server';
import { ConversationList } from './conversation-list';

const revenue = conversationOf();
const churn = conversationOf({ id: 'c2', name: 'Churn in spring' });

beforeEach(() => {
  resetConversations();
  server.use(
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
  it('SearchesWithinTheFilter, and goesBackToTheListWhenTheSearchIsCleared', async () => {
    const { user } = renderPart(<ConversationList narrow={false} />);
    await screen.findByText('Churn in spring');
    await user.type(screen.getByLabelText('Search conversations'), 'spring');
    await screen.findByRole('list', { name: 'Conversations found' });
    await expect.poll(() => names('Conversations found')).toEqual(['/conversations/c2']);
    await user.click(screen.getByRole('tab', { name: 'Archived' }));
    expect(await screen.findByText('No results found')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Clear the search' }));
    expect(await screen.findByText('Conversations that you archive stand here.')).toBeVisible();
    await user.click(screen.getByRole('tab', { name: 'All' }));
    expect(names('All conversations')).toEqual(['/conversations/c1', '/conversations/c2']);
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
    // The links follow the address, each in its own time.
    await screen.findByRole('list', { name: 'Conversations found' });
    await expect
      .poll(() => names('Conversations found'), { timeout: 10_000 })
      .toEqual(['/conversations/c2?filter=user&search=spring']);
    await user.click(await screen.findByRole('link', { name: /Churn/u }));
    expect(where()).toBe('/conversations/c2?filter=user&search=spring');
    expect(screen.getByLabelText('Search conversations')).toHaveValue('spring');
  });
});
