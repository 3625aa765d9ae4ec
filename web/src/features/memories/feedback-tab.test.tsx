import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Feedback } from '@/lib/wire';
import { feedbackList } from '@/stores/feedback-list-store';
import { resetFeedback } from '@/stores/feedback-store';
import { feedbackOf, sentimentsOfTests } from '@/testing/fixtures/feedback';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { FeedbackTab } from './feedback-tab';

function setup(held: Feedback[] = [feedbackOf()], count = held.length) {
  const asked: Record<string, string>[] = [];
  server.use(
    http.get(api('discourse/sentiments'), () => page(sentimentsOfTests)),
    http.get(api('discourse/feedbacks'), ({ request }) => {
      asked.push(Object.fromEntries(new URL(request.url).searchParams));
      return HttpResponse.json({
        results: held,
        pagination: { count, next: null, previous: null },
        bySentiment: [
          { id: 1, name: 'Like', count: 3 },
          { id: 2, name: 'Dislike', count: 4 },
          { id: 3, name: 'Question', count: 0 },
        ],
      });
    }),
  );
  return { ...renderAt('/memories', { '/memories': <FeedbackTab /> }), asked };
}

beforeEach(() => {
  feedbackList.reset();
  resetFeedback();
});

describe('FeedbackTab', () => {
  it('shows of each feedback its sentiment, reasons, comment, person, conversation and day', async () => {
    setup();
    const row = await screen.findByRole('row', { name: /Revenue by region/u });
    for (const text of ['Dislike', 'Wrong numbers', 'The sum is off', 'Ben Ames', 'Nov 20, 2026']) {
      expect(within(row).getByText(text)).toBeVisible();
    }
    expect(within(row).getByRole('link', { name: 'Revenue by region' })).toHaveAttribute(
      'href',
      '/memories/feedbacks/c1?message_id=message-m1',
    );
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Conversation',
      'Sentiment',
      'Labels',
      'Comment',
      'User',
      'Date',
    ]);
  });

  it('shows a default label that somebody picked', async () => {
    setup([feedbackOf({ sentiment: sentimentsOfTests.slice(0, 1), commentSet: [] })]);
    const row = await screen.findByRole('row', { name: /Revenue by region/u });
    expect(within(row).getByText('Helpful')).toBeVisible();
  });

  it('shows no label when only a comment was given, which is sent with the default one', async () => {
    setup([feedbackOf({ sentiment: sentimentsOfTests.slice(0, 1) })]);
    const row = await screen.findByRole('row', { name: /Revenue by region/u });
    expect(within(row).getByText('The sum is off')).toBeVisible();
    expect(within(row).queryByText('Helpful')).toBeNull();
  });

  it('asks for ten, of all or of those on summaries', async () => {
    const { user, asked } = setup();
    await screen.findByRole('link', { name: 'Revenue by region' });
    await user.click(screen.getByRole('radio', { name: 'Executive' }));
    await waitFor(() => expect(asked).toHaveLength(2));
    expect(asked).toEqual([
      { page: '1', page_size: '10', split_by_sentiment: 'true', scope: 'all' },
      { page: '1', page_size: '10', split_by_sentiment: 'true', scope: 'executive' },
    ]);
  });

  it('is narrowed by sentiment, which says how many there are, and by reason', async () => {
    const { user, asked, where } = setup();
    await screen.findByRole('link', { name: 'Revenue by region' });
    await user.click(screen.getByRole('combobox', { name: 'Sentiment' }));
    await user.click(await screen.findByRole('option', { name: 'Dislike (4)' }));
    await user.click(screen.getByRole('combobox', { name: 'Label' }));
    expect(screen.queryByRole('option', { name: 'Helpful' })).not.toBeInTheDocument();
    await user.click(await screen.findByRole('option', { name: 'Wrong numbers' }));
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ sentiment: '2', label: '12' }));
    expect(where()).toBe('/memories?sentiment=2&label=12');
  });

  it('forgets the reason of another sentiment', async () => {
    const { user, where } = setup();
    await screen.findByRole('link', { name: 'Revenue by region' });
    await user.click(screen.getByRole('combobox', { name: 'Label' }));
    await user.click(await screen.findByRole('option', { name: 'Wrong numbers' }));
    await user.click(screen.getByRole('combobox', { name: 'Sentiment' }));
    await user.click(await screen.findByRole('option', { name: 'Like' }));
    await waitFor(() => expect(where()).toBe('/memories?sentiment=1'));
  });

  it('searches comments, people and conversations', async () => {
    const { user, asked } = setup();
    await screen.findByRole('link', { name: 'Revenue by region' });
    await user.type(screen.getByRole('combobox', { name: 'Search feedback' }), 'sum');
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ search: 'sum' }));
  });

  it('goes from page to page', async () => {
    const { user, asked } = setup([feedbackOf()], 11);
    await user.click(await screen.findByRole('button', { name: 'Next page' }));
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ page: '2' }));
  });

  it('says what comes here when there is nothing', async () => {
    setup([]);
    expect(await screen.findByText('No feedback')).toBeVisible();
    expect(screen.getByText(/Feedback on answers appears here/u)).toBeVisible();
  });

  it('says that it could not be loaded, and tries again', async () => {
    const { user } = setup();
    await screen.findByRole('link', { name: 'Revenue by region' });
    feedbackList.reset();
    server.use(http.get(api('discourse/feedbacks'), () => problem(500, 'I500', 'Broken.')));
    expect(await screen.findByText('The feedback could not be loaded')).toBeVisible();
    server.use(http.get(api('discourse/feedbacks'), () => page([feedbackOf()])));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: 'Revenue by region' })).toBeVisible();
  });
});
