import { screen, waitFor } from '@testing-library/react';
import { VirtuosoMockContext } from 'react-virtuoso';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import { patterns } from '@/lib/paths';
import type { Message } from '@/lib/wire';
import { reviewed } from '@/stores/feedback-list-store';
import { feedbackOf } from '@/testing/fixtures/feedback';
import { conversationOf, messageOf } from '@/testing/fixtures/wire';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, problem, server } from '@/testing/server';
import { Component as FeedbackPage } from './feedback-page';

Element.prototype.scrollTo = () => undefined;
Element.prototype.scrollBy = () => undefined;

const talk: Message[] = [
  messageOf({ id: 'm0', seq: 1, role: 'user', text: 'How much?', analyst: null }),
  messageOf({ id: 'm1', seq: 2, text: 'It is 12.', feedbackSet: [feedbackOf()] }),
  messageOf({ id: 'm2', seq: 3, role: 'summary', text: 'Twelve in all.' }),
];

function setup(path: string, messageSet: Message[] | null) {
  const asked: string[] = [];
  server.use(
    http.get(api('discourse/conversations/c1'), ({ request }) => {
      asked.push(new URL(request.url).search);
      return messageSet
        ? HttpResponse.json(conversationOf({ messageSet }))
        : problem(404, 'D404', 'Not found.');
    }),
  );
  // jsdom has no layout, so the test sets the heights.
  const view = (
    <VirtuosoMockContext.Provider value={{ viewportHeight: 4000, itemHeight: 100 }}>
      <FeedbackPage />
    </VirtuosoMockContext.Provider>
  );
  return {
    ...renderAt(path, { [patterns.memories]: <h1>Memories</h1>, [patterns.feedback]: view }),
    asked,
  };
}

beforeEach(() => reviewed.reset());

describe('/memories/feedbacks/{id}', () => {
  it('opens at the answer, in Analytics, with what was said of it', async () => {
    const { asked } = setup('/memories/feedbacks/c1?message_id=message-m1', talk);
    expect(await screen.findByRole('tab', { name: /^Analytics/u })).toHaveAttribute('aria-selected', 'true');
    expect(screen.getByRole('heading', { name: 'Revenue by region' })).toBeVisible();
    expect(screen.getByText('Conversation of Ada Lindqvist, read-only')).toBeVisible();
    await waitFor(() => {
      const note = document.querySelector('[aria-label="Feedback of Ben Ames"]');
      expect(note).toHaveTextContent('Dislike');
      expect(note).toHaveTextContent('Wrong numbers');
      expect(note).toHaveTextContent('The sum is off');
    });
    expect(asked).toEqual(['?feedback_scope=all']);
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
  });

  it.each(['m0', 'm2'])('opens at %s in Summary', async (id) => {
    setup(`/memories/feedbacks/c1?message_id=message-${id}`, talk);
    expect(await screen.findByRole('tab', { name: /^Summary/u })).toHaveAttribute('aria-selected', 'true');
  });

  it('says so when nothing was said', async () => {
    setup('/memories/feedbacks/c1', []);
    expect(
      await screen.findByText('You do not have messaging in this conversation history yet.'),
    ).toBeVisible();
  });

  it('of one that is not there, goes to the list and says so', async () => {
    const error = vi.spyOn(notify, 'error').mockReturnValue();
    const { where } = setup('/memories/feedbacks/c1', null);
    expect(await screen.findByRole('heading', { name: 'Memories' })).toBeVisible();
    expect(where()).toBe('/memories');
    expect(error).toHaveBeenCalledExactlyOnceWith('Feedbacks for conversation c1 not found');
  });

  it('says that it could not be loaded, and tries again', async () => {
    server.resetHandlers();
    const { user } = setup('/memories/feedbacks/c1', talk);
    await screen.findByRole('tab', { name: /^Summary/u });
    reviewed.reset();
    server.use(http.get(api('discourse/conversations/c1'), () => problem(500, 'I500', 'Broken.')));
    await reviewed.fetch('c1');
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(
      await screen.findByRole('heading', { name: 'The conversation could not be loaded' }),
    ).toBeVisible();
  });
});
