import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import { patterns } from '@/lib/paths';
import type { Analyst, AnalystRequest } from '@/lib/wire';
import { agents, resetAgents } from '@/stores/agents-store';
import { resetMemories } from '@/stores/memories-store';
import { agentOf, defaultAgent } from '@/testing/fixtures/agents';
import { memoryLabels, memoryOf, memoryTypes } from '@/testing/fixtures/memories';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { Component as AgentPage } from './agent-page';
import { Component as NewAgentPage } from './new-agent-page';

const routes = {
  [patterns.agents]: 'all agents',
  [patterns.newAgent]: <NewAgentPage />,
  [patterns.agent]: <AgentPage />,
  [patterns.agentEdit]: <AgentPage />,
};

const ben = { id: 7, type: 'user' as const, name: 'Ben Okafor', picture: '' };
const ada = { id: 1, type: 'user' as const, name: 'Ada Lindqvist', picture: '' };

/** A server with one agent. It records what is sent to it. */
function keeps(agent: Analyst) {
  const state = { agent, sent: [] as AnalystRequest[], access: [] as unknown[] };
  async function change(request: Request): Promise<Response> {
    const sent = (await request.json()) as AnalystRequest;
    state.sent.push(sent);
    const { agentName, provider: _, controller: __, projectLabels: ___, ...fields } = sent;
    state.agent = {
      ...state.agent,
      ...(fields as Partial<Analyst>),
      name: agentName ?? state.agent.name,
      version: state.agent.version + 1,
    };
    return HttpResponse.json(state.agent);
  }
  server.use(
    http.get(api('analyst/analysts/2'), () => HttpResponse.json(state.agent)),
    http.put(api('analyst/analysts/2'), ({ request }) => change(request)),
    http.post(api('analyst/analysts'), ({ request }) => change(request)),
    http.get(api('analyst/analysts/2/actors'), () => page([{ actor: ada, permission: 'owner' }])),
    http.put(api('analyst/analysts/2/actors'), async ({ request }) => {
      state.access.push(await request.json());
      return page([]);
    }),
  );
  return state;
}

/** Opens a step by its name in the list of steps. */
async function step(user: ReturnType<typeof renderAt>['user'], name: string): Promise<void> {
  const steps = await screen.findByRole('navigation', { name: 'Steps' });
  await user.click(within(steps).getByRole('button', { name: new RegExp(`${name}(,|$)`, 'u') }));
  await screen.findByRole('heading', { level: 2, name });
}

beforeEach(() => {
  resetAgents();
  resetMemories();
  server.use(
    http.get(api('analyst/analysts/active-models'), () =>
      page([
        { provider: 'builtin', model: 'builtin' },
        { provider: 'openai', model: 'large' },
        { provider: 'openai', model: 'small' },
      ]),
    ),
    http.get(api('analyst/analysts'), () => page([])),
    http.get(api('analyst/default'), () => HttpResponse.json(defaultAgent)),
    http.get(api('discourse/projectlabels'), () => page([])),
    http.get(api('memory/memories'), () => page([memoryOf()])),
    http.get(api('memory/memorytypes'), () => page(memoryTypes)),
    http.get(api('memory/memorylabels'), () => page(memoryLabels)),
    http.get(api('user/shareable-entities'), () => page([ben])),
  );
});

describe('a new agent', () => {
  it('has seven steps, and continues only once its name is entered', async () => {
    const error = vi.spyOn(notify, 'error');
    const { user } = renderAt('/agents/new', routes);
    const steps = await screen.findByRole('navigation', { name: 'Steps' });
    expect(
      within(steps)
        .getAllByRole('button')
        .map((button) => button.textContent),
    ).toEqual([
      expect.stringContaining('General'),
      expect.stringContaining('Knowledge Base'),
      expect.stringContaining('Chart specialist'),
      expect.stringContaining('Connectors'),
      expect.stringContaining('Insights specialist'),
      expect.stringContaining('Summary specialist'),
      expect.stringContaining('Access'),
    ]);
    expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled();
    await user.type(screen.getByRole('textbox', { name: /^Description/u }), 'D');
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(await screen.findByText('Enter agent name')).toBeVisible();
    expect(error).toHaveBeenCalledWith('Please complete the required fields');
  });

  it('is created with its model, and opens in the editor', async () => {
    const success = vi.spyOn(notify, 'success');
    const { sent } = keeps(agentOf({ version: 0 }));
    const { user, where } = renderAt('/agents/new', routes);
    await user.type(await screen.findByRole('textbox', { name: /^Agent name/u }), 'Finance');
    await user.click(screen.getByRole('combobox', { name: 'LLM provider' }));
    await user.click(await screen.findByRole('option', { name: 'OpenAI' }));
    await user.click(screen.getByRole('combobox', { name: 'LLM model' }));
    expect(await screen.findAllByRole('option')).toHaveLength(2);
    await user.click(screen.getByRole('option', { name: 'small' }));
    await user.click(screen.getByRole('button', { name: 'Create' }));
    await waitFor(() => expect(where()).toBe('/agents/2/edit'));
    expect(sent[0]).toMatchObject({
      agentName: 'Finance',
      provider: 'openai',
      model: 'small',
      controller: 'analyst',
    });
    expect(success).toHaveBeenCalledWith('Agent created successfully');
    expect(await screen.findByRole('heading', { level: 1, name: 'Finance' })).toBeVisible();
  });

  it('shows what the server says at its field', async () => {
    server.use(
      http.post(api('analyst/analysts'), () =>
        problem(422, 'invalid', 'Please check.', [
          { field: 'name', message: 'There is an agent with this name already' },
        ]),
      ),
    );
    const { user } = renderAt('/agents/new', routes);
    await user.type(await screen.findByRole('textbox', { name: /^Agent name/u }), 'Finance');
    await user.click(screen.getByRole('button', { name: 'Create' }));
    expect(await screen.findByText('There is an agent with this name already')).toBeVisible();
  });

  it('needs no name when its general step is turned off: the server gives it one', async () => {
    const { sent } = keeps(agentOf({ name: 'prism-2', version: 0 }));
    const { user, where } = renderAt('/agents/new', routes);
    await user.click(await screen.findByRole('switch', { name: 'General enabled' }));
    await user.click(
      within(await screen.findByRole('alertdialog', { name: 'Turn off step' })).getByRole('button', {
        name: 'Turn off',
      }),
    );
    expect(await screen.findByText(/^This step is turned off/u)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Create' }));
    await waitFor(() => expect(where()).toBe('/agents/2/edit'));
    expect(sent[0]).toMatchObject({ general: { enabled: false } });
    expect(sent[0]).not.toHaveProperty('agentName');
  });
});

describe('the editor of an agent', () => {
  it('turns steps off only when that is confirmed, and on at once', async () => {
    const { sent } = keeps(agentOf());
    const { user } = renderAt('/agents/2/edit', routes);
    for (const name of ['General', 'Chart specialist', 'Insights specialist', 'Summary specialist']) {
      await step(user, name);
      const power = screen.getByRole('switch', { name: `${name} enabled` });
      await user.click(power);
      const dialog = await screen.findByRole('alertdialog', { name: 'Turn off step' });
      await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
      expect(power).toBeChecked();
      await user.click(power);
      await user.click(await screen.findByRole('button', { name: 'Turn off' }));
      expect(await screen.findByText(/^This step is turned off/u)).toBeVisible();
    }
    await user.click(screen.getByRole('switch', { name: 'Summary specialist enabled' }));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    for (const name of ['Knowledge Base', 'Connectors', 'Access']) {
      await step(user, name);
      expect(screen.queryByRole('switch', { name: `${name} enabled` })).toBeNull();
    }
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({
      general: { enabled: false },
      chartReview: { enabled: false },
      insights: { enabled: false },
      summary: { enabled: true },
    });
  });

  it('sends instructions, memory labels and memories of a specialist, from the version that is loaded', async () => {
    const success = vi.spyOn(notify, 'success');
    const { sent } = keeps(agentOf());
    const { user } = renderAt('/agents/2/edit', routes);
    await step(user, 'Knowledge Base');
    await user.type(screen.getByRole('textbox', { name: /^Special instructions/u }), 'In euros.');
    await user.click(screen.getByRole('combobox', { name: 'Memory labels' }));
    await user.click(await screen.findByRole('option', { name: 'Sales' }));
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('combobox', { name: 'Memories' }));
    await user.click(await screen.findByRole('option', { name: /Net sales/u }));
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    await waitFor(() => expect(success).toHaveBeenCalledWith('Agent updated successfully'));
    expect(sent[0]).toMatchObject({
      knowledgeBase: { enabled: true, specialInstructions: 'In euros.', memoryLabels: [5], memories: [1] },
      version: 3,
    });
    expect(screen.getByRole('button', { name: 'Save changes' })).toBeDisabled();
  });

  it('saves who may use it, and begins again from what is there', async () => {
    const { access } = keeps(agentOf());
    const { user } = renderAt('/agents/2/edit', routes);
    await step(user, 'Access');
    expect(await screen.findByText('owner')).toBeVisible();
    await user.type(screen.getByRole('combobox'), 'Ben');
    await user.click(await screen.findByRole('option', { name: /Ben Okafor/u }));
    expect(screen.getByRole('combobox', { name: 'Permission of Ben Okafor' })).toHaveTextContent('Can view');
    expect(screen.getByText('Ben Okafor: can view, once it is saved.')).toHaveRole('status');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    await waitFor(() =>
      expect(access).toEqual([{ users: [{ id: 7, permission: 'read' }], teams: [], organizations: [] }]),
    );
    expect(await screen.findByRole('button', { name: 'Save changes' })).toBeDisabled();
  });

  it('gives nobody else the right to change it', async () => {
    keeps(agentOf());
    server.use(
      http.get(api('analyst/analysts/2/actors'), () =>
        page([
          { actor: ada, permission: 'owner' },
          { actor: ben, permission: 'read' },
        ]),
      ),
    );
    const { user } = renderAt('/agents/2/edit', routes);
    await step(user, 'Access');
    await user.click(await screen.findByRole('combobox', { name: 'Permission of Ben Okafor' }));
    expect(screen.getByRole('option', { name: 'Can view' })).not.toHaveAttribute('aria-disabled');
    expect(screen.getByRole('option', { name: 'Can edit' })).toHaveAttribute('aria-disabled', 'true');
  });

  it('keeps the change of access for another try when only that fails', async () => {
    const { sent } = keeps(agentOf());
    let tries = 0;
    server.use(
      http.put(api('analyst/analysts/2/actors'), () => {
        tries += 1;
        return problem(403, 'forbidden', 'No more.');
      }),
    );
    const { user } = renderAt('/agents/2/edit', routes);
    await step(user, 'Access');
    await user.type(await screen.findByRole('combobox'), 'Ben');
    await user.click(await screen.findByRole('option', { name: /Ben Okafor/u }));
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('Failed to update agent permissions: No more.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    await waitFor(() => expect(sent.map(({ version }) => version)).toEqual([3, 4]));
    // The change of access follows, each time with the client's retry after a 403. If the test did not wait, it
    // would reach the server of the next test.
    await waitFor(() => expect(tries).toBe(4));
  });

  it('does not replace what another person changed meanwhile, though the page has it', async () => {
    const state = keeps(agentOf());
    const { user } = renderAt('/agents/2/edit', routes);
    await user.type(await screen.findByRole('textbox', { name: /^Agent name/u }), '!');
    state.agent = { ...state.agent, description: 'By another person', version: 9 };
    await agents.fetch(2);
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    await waitFor(() => expect(state.sent.at(-1)).toMatchObject({ agentName: 'Finance!', version: 3 }));
  });

  it('lets nobody but the owner change who may use it', async () => {
    const mayNot = { ...agentOf().abilities, manageAccess: false };
    keeps(agentOf({ abilities: mayNot }));
    const { user } = renderAt('/agents/2/edit', routes);
    await step(user, 'Access');
    expect(screen.getByText('Only the owner can change who may choose this agent.')).toBeVisible();
    expect(await screen.findByText('Ada Lindqvist')).toBeVisible();
    expect(screen.queryByRole('combobox')).toBeNull();
  });

  it('shows whom it is shared with, and its owner changes that from there', async () => {
    const { access } = keeps(agentOf());
    const grants = [
      { actor: ada, permission: 'owner' },
      { actor: ben, permission: 'read' },
    ];
    server.use(
      http.get(api('analyst/analysts/2/actors'), () => page(grants)),
      http.put(api('analyst/analysts/2/actors'), async ({ request }) => {
        access.push(await request.json());
        return page(grants.slice(0, 1));
      }),
    );
    const { user } = renderAt('/agents/2', routes);
    const stack = await screen.findByRole('button', { name: 'Shared with Ben Okafor' });
    await waitFor(() => expect(stack).toHaveTextContent(/^BO$/u));
    await user.click(stack);
    await user.click(await screen.findByRole('button', { name: 'Remove Ben Okafor' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(access).toEqual([{ users: [{ id: 7, permission: 'remove' }], teams: [], organizations: [] }]);
    expect(screen.queryByRole('button', { name: /^Shared with/u })).toBeNull();
  });

  it('asks before unsaved changes are lost', async () => {
    keeps(agentOf());
    const { user, where } = renderAt('/agents/2/edit', routes);
    await user.type(await screen.findByRole('textbox', { name: /^Agent name/u }), '!');
    await user.click(screen.getByRole('link', { name: 'All agents' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Discard your changes?' });
    await user.click(within(dialog).getByRole('button', { name: 'Keep editing' }));
    expect(where()).toBe('/agents/2/edit');
  });

  it('says that somebody else has changed it meanwhile', async () => {
    keeps(agentOf());
    server.use(
      http.put(api('analyst/analysts/2'), () =>
        problem(409, 'conflict', 'Somebody else changed this meanwhile. Please load it again.'),
      ),
    );
    const { user } = renderAt('/agents/2/edit', routes);
    await user.type(await screen.findByRole('textbox', { name: /^Agent name/u }), '!');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(
      await screen.findByText('Somebody else changed this meanwhile. Please load it again.'),
    ).toBeVisible();
  });
});

describe('the page of an agent', () => {
  it('shows the steps for reading, and leads to the editor', async () => {
    keeps(agentOf());
    const { user, where } = renderAt('/agents/2', routes);
    expect(await screen.findByText('View only')).toBeVisible();
    expect(screen.getByRole('textbox', { name: /^Agent name/u })).toHaveAttribute('readonly');
    expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull();
    await user.click(screen.getByRole('link', { name: 'Edit' }));
    await waitFor(() => expect(where()).toBe('/agents/2/edit'));
  });

  it('switches the agent off without losing what is being typed', async () => {
    const { sent } = keeps(agentOf());
    const { user } = renderAt('/agents/2/edit', routes);
    const name = await screen.findByRole('textbox', { name: /^Agent name/u });
    await user.type(name, '!');
    // The step next to it has a switch, too: each says on the page what it is of.
    expect(screen.getByText('Agent enabled')).toBeVisible();
    expect(screen.getByText('General enabled')).toBeVisible();
    await user.click(screen.getByRole('switch', { name: 'Agent enabled' }));
    await user.click(
      within(await screen.findByRole('alertdialog', { name: 'Disable agent' })).getByRole('button', {
        name: 'Disable',
      }),
    );
    await waitFor(() => expect(screen.getByRole('switch', { name: 'Agent enabled' })).not.toBeChecked());
    expect(name).toHaveValue('Finance!');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    await waitFor(() => expect(sent.at(-1)).toMatchObject({ agentName: 'Finance!', version: 4 }));
  });

  it('cannot switch off the default agent, nor its general settings', async () => {
    server.use(http.get(api('analyst/analysts/1'), () => HttpResponse.json(defaultAgent)));
    renderAt('/agents/1/edit', routes);
    expect(await screen.findByRole('switch', { name: 'Agent enabled' })).toBeDisabled();
    expect(screen.queryByRole('switch', { name: 'General enabled' })).toBeNull();
  });

  it.each(['/agents/77', '/agents/none'])('says that there is no such agent: %s', async (address) => {
    server.use(http.get(api('analyst/analysts/77'), () => problem(404, 'D404', 'Not found')));
    renderAt(address, routes);
    expect(await screen.findByRole('heading', { level: 1, name: 'Agent not found' })).toBeVisible();
  });

  it('offers another try when it could not be loaded', async () => {
    server.use(http.get(api('analyst/analysts/2'), () => problem(503, 'unavailable', 'Later.')));
    const { user } = renderAt('/agents/2', routes);
    const again = await screen.findByRole('button', { name: 'Try again' });
    keeps(agentOf());
    await user.click(again);
    expect(await screen.findByRole('heading', { level: 1, name: 'Finance' })).toBeVisible();
  });
});
