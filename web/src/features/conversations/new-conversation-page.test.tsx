import { screen } from '@testing-library/react';
import { Link } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import { closeConversation, sessionState } from '@/stores/conversation-session';
import { resetConversations } from '@/stores/conversations-store';
import { loadDataSources, resetDataSources } from '@/stores/datasources-store/sources';
import { draftsState, resetDrafts } from '@/stores/drafts-store';
import { conversationOf, dataSourceOf } from '@/testing/fixtures/wire';
import { hold } from '@/testing/hold';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, page, server } from '@/testing/server';
import { Component as NewConversationPage } from './new-conversation-page';

beforeEach(() => {
  resetConversations();
  resetDrafts();
  closeConversation();
});

describe('NewConversationPage', () => {
  it('SaysThatALinkNamesWhatIsNotThere, and goes on with the rest', async () => {
    const told = vi.spyOn(notify, 'info').mockReturnValue();
    resetDataSources();
    server.use(
      http.get(api('memory/datasources'), () => page([dataSourceOf({ id: 3, name: 'Orders' })])),
      http.get(api('memory/datasources/type'), () => page([])),
    );
    await loadDataSources();
    renderAt('/conversations/new?dataSources[]=3&dataSources[]=9', {
      '/conversations/new': <NewConversationPage />,
    });
    await expect.poll(() => told.mock.calls).toEqual([[expect.stringContaining('not available')]]);
    expect(screen.getByText('Orders')).toBeVisible();
    // What only a conversation that is there has is not spoken of.
    expect(screen.queryByText(/Connectors tab|Manage access/u)).toBeNull();
  });

  it('TakesTheAgentOfTheAddress', async () => {
    renderAt('/conversations/new?agent=2', { '/conversations/new': <NewConversationPage /> });
    await expect.poll(() => draftsState.drafts['new']?.analystId).toBe(2);
  });

  it('LeavesWhoeverHasGoneElsewhereMeanwhileThere, and sendsThePromptAllTheSame', async () => {
    const sent: unknown[] = [];
    const { held: made, release: make } = hold();
    server.use(
      http.post(api('discourse/conversations'), async () => {
        await made;
        return HttpResponse.json(conversationOf({ id: 'c1' }));
      }),
      http.post(api('discourse/user-text'), async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json({});
      }),
    );
    const { user, where } = renderAt('/conversations/new', {
      '/conversations/new': (
        <>
          <Link to="/elsewhere">Elsewhere</Link>
          <NewConversationPage />
        </>
      ),
      '/conversations/:id': <p>The new one</p>,
      '/elsewhere': <p>Another page</p>,
    });
    await user.type(screen.getByRole('textbox', { name: 'Message' }), 'How many?{Enter}');
    await user.click(screen.getByRole('link', { name: 'Elsewhere' }));
    make();
    await expect.poll(() => sent).toMatchObject([{ conversationId: 'c1', message: { text: 'How many?' } }]);
    await expect.poll(() => draftsState.drafts).toEqual({});
    expect(sessionState.current.phase).toBe('closed');
    expect(where()).toBe('/elsewhere');
  });
});
