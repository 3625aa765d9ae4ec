import { screen } from '@testing-library/react';
import { Link } from 'react-router';
import { beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { notify } from '@/lib/notify';
import { analysts, loadAnalysts } from '@/stores/analysts-store';
import { closeConversation, sessionState } from '@/stores/conversation-session';
import { resetConversations } from '@/stores/conversations-store';
import { loadDataSources, resetDataSources } from '@/stores/datasources-store/sources';
import { changeDraft, draftsState, resetDrafts } from '@/stores/drafts-store';
import { agentOf, defaultAgent } from '@/testing/fixtures/agents';
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
  it('SaysThatALinkNamesWhatIsNotThere, and continues with the rest', async () => {
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
    // The page does not mention what only an existing conversation has.
    expect(screen.queryByText(/Connectors tab|Manage access/u)).toBeNull();
  });

  describe('with an agent in the address', () => {
    let told: MockInstance<typeof notify.info>;
    const show = (search: string) =>
      renderAt(`/conversations/new?${search}`, { '/conversations/new': <NewConversationPage /> });

    beforeEach(async () => {
      told = vi.spyOn(notify, 'info').mockReturnValue();
      analysts.reset();
      server.use(
        http.get(api('analyst/default'), () => HttpResponse.json(defaultAgent)),
        http.get(api('analyst/analysts'), () => page([defaultAgent, agentOf({ id: 2, name: 'Researcher' })])),
      );
      await loadAnalysts();
    });

    it('TakesTheAgentOfTheAddress, and leaves the one chosen afterwards', async () => {
      const { user } = renderAt('/conversations/new?agent=2', {
        '/conversations/new': (
          <>
            <Link to="?agent=2&dataSources[]=3">With a connector</Link>
            <NewConversationPage />
          </>
        ),
      });
      await expect.poll(() => draftsState.drafts['new']?.analystId).toBe(2);
      changeDraft('new', { analystId: defaultAgent.id });
      await user.click(screen.getByRole('link', { name: 'With a connector' }));
      await expect.poll(() => draftsState.drafts['new']?.dataSources).toEqual([3]);
      expect(draftsState.drafts['new']?.analystId).toBe(defaultAgent.id);
    });

    it.each(['agent=77', 'agent=prism', 'agent=true', 'agent=1.5'])(
      'SaysThatItIsNotThere, and continues with the default one: %s',
      async (search) => {
        changeDraft('new', { text: 'How many?', analystId: 2 });
        show(search);
        await expect
          .poll(() => told.mock.calls)
          .toEqual([[expect.stringContaining('The agent of this link')]]);
        expect(draftsState.drafts['new']).toMatchObject({ text: 'How many?', analystId: null });
        expect(screen.getByRole('combobox', { name: 'Agent' })).toHaveTextContent(defaultAgent.name);
      },
    );

    it('AsksTheServer when the list is longer than what is here, which also shows what is switched off', async () => {
      analysts.reset();
      server.use(
        http.get(api('analyst/analysts'), () => page([defaultAgent], '?page=2')),
        http.get(api('analyst/analysts/2'), () => HttpResponse.json(agentOf({ id: 2, isEnabled: false }))),
        http.get(api('analyst/analysts/3'), () => HttpResponse.json(agentOf({ id: 3, name: 'Far down' }))),
      );
      await loadAnalysts();
      const { unmount } = show('agent=3');
      await expect.poll(() => analysts.state.details[3]?.status).toBe('ready');
      expect(told).not.toHaveBeenCalled();
      expect(draftsState.drafts['new']?.analystId).toBe(3);
      expect(await screen.findByRole('combobox', { name: 'Agent' })).toHaveTextContent('Far down');
      unmount();
      show('agent=2');
      await expect.poll(() => told.mock.calls).toHaveLength(1);
      expect(draftsState.drafts['new']?.analystId ?? null).toBeNull();
    });
  });

  it('LeavesThePersonWhereTheyHaveGoneMeanwhile, and sendsThePromptAllTheSame', async () => {
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
