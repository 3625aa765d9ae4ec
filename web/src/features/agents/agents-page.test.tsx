import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import type { Analyst, AnalystRequest } from '@/lib/wire';
import { resetAgents } from '@/stores/agents-store';
import { resetProjectLabels } from '@/stores/project-labels-store';
import { agentOf, defaultAgent } from '@/testing/fixtures/agents';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { Component as AgentsPage } from './agents-page';

const routes = { '/agents': <AgentsPage />, '/agents/new': 'the new agent', '/agents/:id': 'the agent' };
const launch = { id: 4, name: 'Launch', color: 'Royal Blue' };

/** A server with these agents. Returns the scopes of the requests. */
function keeps(given: Analyst[]) {
  const state = { agents: given, asked: [] as string[] };
  server.use(
    http.get(api('analyst/analysts'), ({ request }) => {
      const query = new URL(request.url).searchParams;
      // The list that people choose from in conversations has no scope, and leaves out those that are switched off.
      if (query.get('filter_enabled') === 'false') state.asked.push(query.get('scope') ?? 'all');
      const words = query.get('search') ?? '';
      return page(state.agents.filter(({ name }) => name.includes(words)));
    }),
  );
  return state;
}

function names(): string[] {
  return screen.queryAllByRole('article').map((card) => card.getAttribute('aria-label') ?? '');
}

async function choose(user: ReturnType<typeof renderAt>['user'], name: string, entry: RegExp): Promise<void> {
  await user.click(await screen.findByRole('button', { name: `More actions for ${name}` }));
  await user.click(await screen.findByRole('menuitem', { name: entry }));
}

beforeEach(() => {
  resetAgents();
  resetProjectLabels();
  server.use(
    http.get(api('discourse/projectlabels'), () => page([launch])),
    http.get(api('analyst/default'), () => HttpResponse.json(defaultAgent)),
  );
});

describe('AgentsPage', () => {
  it('shows the agents as cards with picture, project and model, the new one first', async () => {
    keeps([defaultAgent, agentOf({ picture: '/pictures/a.png', projectLabels: [launch], isEnabled: false })]);
    renderAt('/agents', routes);
    const card = await screen.findByRole('article', { name: 'Finance' });
    for (const text of ['For questions about money.', 'Launch', 'Disabled', 'Built-in planner']) {
      expect(within(card).getByText(text)).toBeVisible();
    }
    expect(card.querySelector('img')).toHaveAttribute('src', '/pictures/a.png');
    expect(within(screen.getByRole('article', { name: 'prism-1' })).getByText('Default')).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: 'Agents' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Create new' })).toHaveAttribute('href', '/agents/new');
  });

  it('shows them as a table, too', async () => {
    keeps([defaultAgent, agentOf()]);
    renderAt('/agents?view=list', routes);
    const table = await screen.findByRole('table', { name: 'Agents' });
    expect(within(table).getAllByRole('row')).toHaveLength(3);
    expect(within(table).getByRole('switch', { name: 'prism-1 is enabled' })).toBeDisabled();
    expect(within(table).getByRole('link', { name: /Finance/u })).toHaveAttribute('href', '/agents/2');
  });

  it('fetches favorites and recent ones when they are first looked at', async () => {
    const { asked } = keeps([agentOf()]);
    const { user } = renderAt('/agents', routes);
    await screen.findByRole('article', { name: 'Finance' });
    expect(asked).toEqual(['all']);
    for (const name of ['Favorite', 'My agents', 'Recent', 'All']) {
      await user.click(screen.getByRole('radio', { name }));
      await screen.findByRole('article', { name: 'Finance' });
    }
    await waitFor(() => expect(asked).toEqual(['all', 'favorite', 'owned', 'recent']));
  });

  it('finds by words, and says what was found', async () => {
    keeps([defaultAgent, agentOf()]);
    const { user } = renderAt('/agents', routes);
    await screen.findByRole('article', { name: 'Finance' });
    await user.type(screen.getByRole('combobox', { name: 'Search agents' }), 'Fin');
    await waitFor(() => expect(names()).toEqual(['Finance']));
    expect(await screen.findByText('Found: 1')).toBeVisible();
  });

  it('marks a favorite at once, and takes it back when that fails', async () => {
    const error = vi.spyOn(notify, 'error');
    keeps([agentOf()]);
    server.use(http.put(api('analyst/analysts/2/favorite'), () => problem(500, 'internal', 'Later.')));
    const { user } = renderAt('/agents', routes);
    const star = await screen.findByRole('button', { name: 'Favorite Finance' });
    await user.click(star);
    await waitFor(() => expect(error).toHaveBeenCalledWith('Failed to favorite agent: Later.'));
    expect(star).toHaveAttribute('aria-pressed', 'false');
  });

  it('asks before it switches one off, and sends the version that was seen', async () => {
    const success = vi.spyOn(notify, 'success');
    const sent: AnalystRequest[] = [];
    keeps([agentOf()]);
    server.use(
      http.put(api('analyst/analysts/2'), async ({ request }) => {
        sent.push((await request.json()) as AnalystRequest);
        return HttpResponse.json(agentOf({ isEnabled: false, version: 4 }));
      }),
    );
    const { user } = renderAt('/agents?view=list', routes);
    await user.click(await screen.findByRole('switch', { name: 'Finance is enabled' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Disable agent' });
    expect(sent).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Disable' }));
    await waitFor(() => expect(screen.getByRole('switch', { name: 'Finance is enabled' })).not.toBeChecked());
    expect(sent).toEqual([{ isEnabled: false, version: 3 }]);
    expect(success).toHaveBeenCalledWith('Agent updated successfully');
  });

  it('lets its owner delete one, and tells others why they cannot', async () => {
    const success = vi.spyOn(notify, 'success');
    const state = keeps([
      agentOf(),
      agentOf({ id: 3, name: 'Theirs', abilities: { ...agentOf().abilities, delete: false } }),
    ]);
    server.use(
      http.delete(api('analyst/analysts/2'), () => {
        state.agents = state.agents.filter(({ id }) => id !== 2);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { user } = renderAt('/agents', routes);
    await choose(user, 'Theirs', /^Delete Only its owner/u);
    expect(screen.queryByRole('alertdialog')).toBeNull();
    await user.keyboard('{Escape}');
    await choose(user, 'Finance', /^Delete/u);
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete agent' });
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(names()).toEqual(['Theirs']));
    expect(success).toHaveBeenCalledWith('Agent deleted successfully');
  });

  it('keeps an agent that could not be deleted', async () => {
    const error = vi.spyOn(notify, 'error');
    keeps([agentOf()]);
    server.use(http.delete(api('analyst/analysts/2'), () => problem(500, 'internal', 'Later.')));
    const { user } = renderAt('/agents', routes);
    await choose(user, 'Finance', /^Delete/u);
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(error).toHaveBeenCalledWith('Failed to delete agent: Later.'));
    expect(screen.getByRole('alertdialog')).toBeVisible();
  });

  it('says so when they could not be loaded, and what is in an empty segment', async () => {
    server.use(http.get(api('analyst/analysts'), () => problem(503, 'unavailable', 'Later.')));
    const { user } = renderAt('/agents?filter=favorite', routes);
    expect(await screen.findByText('The agents could not be loaded')).toBeVisible();
    keeps([]);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Mark an agent with its star to find it here.')).toBeVisible();
  });
});
