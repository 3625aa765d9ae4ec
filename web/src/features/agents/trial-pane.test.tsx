import { screen, waitFor } from '@testing-library/react';
import { VirtuosoMockContext } from 'react-virtuoso';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import { patterns } from '@/lib/paths';
import type { UserText } from '@/lib/wire';
import { resetAgents } from '@/stores/agents-store';
import { closeConversation } from '@/stores/conversation-session';
import { agentOf } from '@/testing/fixtures/agents';
import { conversationOf } from '@/testing/fixtures/wire';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { Component as AgentPage } from './agent-page';

/** The list of messages renders what fits, and nothing has a size in jsdom. */
const agentPage = (
  <VirtuosoMockContext.Provider value={{ viewportHeight: 1000, itemHeight: 100 }}>
    <AgentPage />
  </VirtuosoMockContext.Provider>
);

const routes = {
  [patterns.agents]: 'all agents',
  [patterns.agent]: agentPage,
  [patterns.agentEdit]: agentPage,
};

/** A server with an agent that has a connector. Returns the calls that a trial makes, in their order. */
function keeps() {
  const calls: unknown[] = [];
  server.use(
    http.get(api('analyst/analysts/2'), () => HttpResponse.json(agentOf({ connectors: [9] }))),
    http.get(api('analyst/analysts/2/actors'), () => page([])),
    http.get(api('analyst/analysts/active-models'), () => page([])),
    http.get(api('discourse/projectlabels'), () => page([])),
    http.post(api('discourse/conversations'), async ({ request }) => {
      calls.push(await request.json());
      return HttpResponse.json(conversationOf({ id: 'c7' }), { status: 201 });
    }),
    http.patch(api('user/me/conversations/c7/status'), async ({ request }) => {
      calls.push(await request.json());
      return new HttpResponse(null, { status: 204 });
    }),
    http.get(api('discourse/conversations/c7'), () =>
      HttpResponse.json(conversationOf({ id: 'c7', dataSources: [9], status: 'archived' })),
    ),
    http.post(api('discourse/user-text'), async ({ request }) => {
      const { conversationId, dataSources, message } = (await request.json()) as UserText;
      calls.push({ conversationId, dataSources, text: message.text, analystId: message.analystId });
      return HttpResponse.json({}, { status: 202 });
    }),
  );
  return calls;
}

beforeEach(() => {
  // jsdom cannot scroll.
  Element.prototype.scrollTo = () => undefined;
  resetAgents();
  closeConversation();
});

describe('trying an agent', () => {
  it('begins a conversation with its connectors, archives it, and asks the agent in it', async () => {
    const calls = keeps();
    const { user, where } = renderAt('/agents/2', routes);
    await user.click(await screen.findByRole('button', { name: 'Try it' }));
    await waitFor(() => expect(where()).toBe('/agents/2/conversation/c7'));
    const box = await screen.findByRole('textbox', { name: 'Question' });
    await user.type(box, 'How much?{Enter}');
    await waitFor(() => expect(calls).toHaveLength(3));
    expect(calls).toEqual([
      { name: 'New Conversation', description: 'New Conversation', dataSources: [9] },
      { status: 'archived' },
      { conversationId: 'c7', dataSources: [9], text: 'How much?', analystId: 2 },
    ]);
    expect(await screen.findByText('How much?')).toBeInTheDocument();
    expect(box).toHaveValue('');
  });

  it('is beside the editor, and leaves what is being typed there', async () => {
    keeps();
    const { user, where } = renderAt('/agents/2/edit', routes);
    const name = await screen.findByRole('textbox', { name: /^Agent name/u });
    await user.type(name, '!');
    await user.click(screen.getByRole('button', { name: 'Try it' }));
    await waitFor(() => expect(where()).toBe('/agents/2/edit/conversation/c7'));
    expect(await screen.findByRole('region', { name: 'Try Finance' })).toBeVisible();
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(name).toHaveValue('Finance!');
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(where()).toBe('/agents/2/edit'));
    expect(name).toHaveValue('Finance!');
  });

  it('puts a question back that was not taken', async () => {
    keeps();
    server.use(http.post(api('discourse/user-text'), () => problem(400, 'invalid', 'Not now.')));
    const { user } = renderAt('/agents/2/conversation/c7', routes);
    const box = await screen.findByRole('textbox', { name: 'Question' });
    await user.type(box, 'How much?{Enter}');
    await waitFor(() => expect(box).toHaveValue('How much?'));
  });

  it('says so when none can be begun, or when it is gone', async () => {
    const error = vi.spyOn(notify, 'error');
    keeps();
    server.use(
      http.post(api('discourse/conversations'), () => problem(500, 'internal', 'Later.')),
      http.get(api('discourse/conversations/gone'), () => problem(404, 'D404', 'Not found')),
    );
    const { user, where } = renderAt('/agents/2/conversation/gone', routes);
    expect(await screen.findByText('This conversation is gone.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'New conversation' }));
    await waitFor(() => expect(error).toHaveBeenCalledWith('The conversation could not be started: Later.'));
    expect(where()).toBe('/agents/2/conversation/gone');
  });
});
