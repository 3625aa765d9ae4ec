import { screen } from '@testing-library/react';
import { Link, useNavigate } from 'react-router';
import { beforeEach, describe, expect, it } from 'vitest';
import { closeConversation } from '@/stores/conversation-session';
import { putConversation, resetConversations } from '@/stores/conversations-store';
import { draftFeedback, feedbackState } from '@/stores/feedback-store';
import { conversationOf } from '@/testing/fixtures/wire';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { windowWidth } from '@/testing/window-width';
import { Component as ConversationPage } from './conversation-page';

/** The conversations that were reported to the server as read. */
let read: string[] = [];

beforeEach(() => {
  resetConversations();
  closeConversation();
  read = [];
  server.use(
    http.get(api('discourse/conversations/c1'), () => new Promise<never>(() => undefined)),
    http.get(api('discourse/conversations/c1/data-sources'), () => page([])),
    http.get(api('discourse/sentiments'), () => page([])),
    http.post(api('discourse/conversations/c1/read'), () => {
      read.push('c1');
      return new HttpResponse(null, { status: 204 });
    }),
  );
});

function BackLink() {
  const navigate = useNavigate();
  return <button onClick={() => void navigate(-1)}>Back</button>;
}

describe('ConversationPage', () => {
  it('forgets what was being written of answers when another one opens', async () => {
    const routes = {
      '/conversations/:conversationId': (
        <>
          <Link to="/conversations/c2">The next one</Link>
          <ConversationPage />
        </>
      ),
    };
    server.use(
      http.get(api('discourse/conversations/c2'), () => new Promise<never>(() => undefined)),
      http.get(api('discourse/conversations/c2/data-sources'), () => page([])),
    );
    const { user } = renderAt('/conversations/c1', routes);
    draftFeedback('m1', 'Half a thought');
    draftFeedback('m2', 'Another one');
    expect(feedbackState.drafts).toEqual({ m1: 'Half a thought', m2: 'Another one' });
    await user.click(screen.getByRole('link', { name: 'The next one' }));
    await expect.poll(() => feedbackState.drafts).toEqual({});
  });

  it('reads what a list that comes later counts as unread', async () => {
    renderAt('/conversations/c1', { '/conversations/:conversationId': <ConversationPage /> });
    putConversation(conversationOf({ id: 'c1', unreadMessages: 3 }));
    await expect.poll(() => read).toEqual(['c1']);
  });

  it('keeps the filter of the list when the conversation has gone', async () => {
    server.use(http.get(api('discourse/conversations/c1'), () => problem(404, 'D404', 'gone')));
    const { where } = renderAt('/conversations/c1?filter=favorite', {
      '/conversations/:conversationId': <ConversationPage />,
      '/conversations': <p>The list</p>,
    });
    await expect.poll(where).toBe('/conversations?filter=favorite');
  });

  it('has a way back to the list on a phone while it loads, and when it could not be loaded', async () => {
    windowWidth(390);
    let fail = (): void => undefined;
    const failing = new Promise<void>((resolve) => (fail = resolve));
    server.use(
      http.get(api('discourse/conversations/c1'), async () => {
        await failing;
        return problem(500, 'D500', 'broken');
      }),
    );
    const { user, where } = renderAt('/conversations/c1?filter=favorite', {
      '/conversations/:conversationId': <ConversationPage />,
      '/conversations': <p>The list</p>,
    });
    expect(await screen.findByRole('status', { name: 'Loading conversation' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Back to the list' })).toBeInTheDocument();
    fail();
    expect(await screen.findByText('The conversation could not be loaded')).toBeInTheDocument();
    await user.click(screen.getByRole('link', { name: 'Back to the list' }));
    expect(where()).toBe('/conversations?filter=favorite');
  });

  it('opens the view that the address names, writes the chosen one there, and Back returns to it', async () => {
    server.use(http.get(api('discourse/conversations/c1'), () => HttpResponse.json(conversationOf())));
    const routes = {
      '/conversations/:conversationId': (
        <>
          <BackLink />
          <ConversationPage />
        </>
      ),
    };
    const { user, where } = renderAt('/conversations/c1?filter=favorite&tab=summary', routes);
    expect(await screen.findByRole('tab', { name: /Summary/u })).toHaveAttribute('aria-selected', 'true');
    await user.click(screen.getByRole('tab', { name: /Analytics/u }));
    expect(where()).toBe('/conversations/c1?filter=favorite&tab=analytics');
    expect(screen.getByRole('tab', { name: /Analytics/u })).toHaveAttribute('aria-selected', 'true');
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await expect.poll(where).toBe('/conversations/c1?filter=favorite&tab=summary');
    expect(screen.getByRole('tab', { name: /Summary/u })).toHaveAttribute('aria-selected', 'true');
  });
});
