import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import type { Memory, MemoryRequest } from '@/lib/wire';
import { resetMemories } from '@/stores/memories-store';
import { memoryLabels, memoryOf, memoryTypes } from '@/testing/fixtures/memories';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { MemoryAdmin } from './memory-admin';

const routes = { '/memories': <MemoryAdmin /> };
const at = '/memories?tab=memories';

/** A server that keeps memories, ten a page, and records the requests. */
function keeps(given: Memory[]) {
  const state = { memories: given, asked: [] as URLSearchParams[], sent: [] as MemoryRequest[] };
  server.use(
    http.get(api('memory/memories'), ({ request }) => {
      const query = new URL(request.url).searchParams;
      state.asked.push(query);
      const size = Number(query.get('page_size'));
      const from = (Number(query.get('page')) - 1) * size;
      const found = state.memories.filter(({ index }) => index.includes(query.get('search') ?? ''));
      return HttpResponse.json({
        results: found.slice(from, from + size),
        pagination: {
          count: found.length,
          next: from + size < found.length ? '/api/v1/memory/memories' : null,
          previous: null,
        },
      });
    }),
    http.post(api('memory/memories'), async ({ request }) => {
      const sent = (await request.json()) as MemoryRequest;
      state.sent.push(sent);
      const made = memoryOf({ id: 99, name: sent.name ?? '', index: sent.question ?? '' });
      state.memories = [made, ...state.memories];
      return HttpResponse.json(made, { status: 201 });
    }),
    http.delete(api('memory/memories/:id'), ({ params }) => {
      state.memories = state.memories.filter(({ id }) => id !== Number(params['id']));
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return state;
}

const many = (count: number) =>
  Array.from({ length: count }, (_, place) => memoryOf({ id: place + 1, name: `Memory ${place + 1}` }));

/** The names of the cards, in their order. */
function names(): string[] {
  return screen.queryAllByRole('article').map((card) => card.getAttribute('aria-label') ?? '');
}

async function choose(user: ReturnType<typeof renderAt>['user'], name: string, entry: string): Promise<void> {
  await user.click(await screen.findByRole('button', { name: `More actions for ${name}` }));
  await user.click(await screen.findByRole('menuitem', { name: entry }));
}

beforeEach(() => {
  resetMemories();
  server.use(
    http.get(api('memory/memorytypes'), () => page(memoryTypes)),
    http.get(api('memory/memorylabels'), () => page(memoryLabels)),
  );
});

describe('MemoryAdmin', () => {
  it('shows a memory with its question, summary, labels, type and the day of its last change', async () => {
    keeps([memoryOf({ alwaysRecalled: true })]);
    renderAt(at, routes);
    const card = await screen.findByRole('article', { name: 'Net sales' });
    expect(await within(card).findByText('Definition')).toBeVisible();
    for (const text of [
      'Question',
      'What are net sales?',
      'Summary',
      'Sales less discounts and returns.',
      'Labels',
      'Finance',
      'Type',
      'Always recall',
      'Edited Nov 20, 2026',
    ]) {
      expect(within(card).getByText(text)).toBeVisible();
    }
  });

  it('asks for ten a page, and goes from page to page', async () => {
    const { asked } = keeps(many(11));
    const { user } = renderAt(at, routes);
    expect(await screen.findByText('11 memories')).toBeVisible();
    expect(names()).toHaveLength(10);
    expect(asked[0]?.get('page_size')).toBe('10');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await waitFor(() => expect(names()).toEqual(['Memory 11']));
  });

  it('goes back a page when the only memory of the last one is deleted', async () => {
    const success = vi.spyOn(notify, 'success');
    keeps(many(11));
    const { user } = renderAt(at, routes);
    await user.click(await screen.findByRole('button', { name: 'Next page' }));
    await waitFor(() => expect(names()).toEqual(['Memory 11']));
    await choose(user, 'Memory 11', 'Delete');
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete memory' });
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(names()).toHaveLength(10));
    expect(success).toHaveBeenCalledWith('Memory deleted successfully');
    expect(screen.queryByRole('button', { name: 'Next page' })).toBeNull();
  });

  it('keeps the memory, and says so, when it cannot be deleted', async () => {
    const error = vi.spyOn(notify, 'error');
    keeps([memoryOf()]);
    server.use(http.delete(api('memory/memories/1'), () => problem(500, 'internal', 'Later.')));
    const { user } = renderAt(at, routes);
    await choose(user, 'Net sales', 'Delete');
    const dialog = await screen.findByRole('alertdialog');
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(error).toHaveBeenCalledWith('Failed to delete memory: Later.'));
    expect(dialog).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(names()).toEqual(['Net sales']);
  });

  it('narrows by specialist, type, label and words, in the address, and leads back from nothing', async () => {
    const { asked } = keeps([memoryOf()]);
    const { user, where } = renderAt(at, routes);
    await screen.findByRole('article', { name: 'Net sales' });
    for (const [filter, entry] of [
      ['Specialist', 'Chart specialist'],
      ['Type', 'Chart'],
      ['Label', 'Sales'],
    ] as const) {
      await user.click(screen.getByRole('combobox', { name: filter }));
      await user.click(await screen.findByRole('option', { name: entry }));
    }
    await user.type(screen.getByRole('combobox', { name: 'Search memories' }), 'nothing');
    expect(
      await screen.findByText('Asked for: “nothing”, specialist Chart specialist, type Chart, label Sales'),
    ).toBeVisible();
    const last = asked.at(-1);
    expect(last?.get('specialists')).toBe('chartReview');
    expect(last?.get('labels')).toBe('5');
    expect(last?.get('filter')).toBe('type:eq:4');
    expect(where()).toContain('specialist=chartReview');
    await user.click(screen.getByRole('button', { name: 'Clear search and filters' }));
    expect(await screen.findByRole('article', { name: 'Net sales' })).toBeVisible();
    expect(where()).toBe(at);
  });

  it('says what a memory is when there is none, and offers another try when they could not be loaded', async () => {
    server.use(http.get(api('memory/memories'), () => problem(503, 'unavailable', 'Later.')));
    const { user } = renderAt(at, routes);
    const again = await screen.findByRole('button', { name: 'Try again' });
    keeps([]);
    await user.click(again);
    expect(await screen.findByRole('heading', { name: 'No memories' })).toBeVisible();
  });

  it('switches a memory off and on at once, and back when the server refuses', async () => {
    const success = vi.spyOn(notify, 'success');
    const error = vi.spyOn(notify, 'error');
    keeps([memoryOf()]);
    server.use(
      http.patch(api('memory/memories/1'), async ({ request }) =>
        HttpResponse.json(memoryOf((await request.json()) as Partial<Memory>)),
      ),
    );
    const { user } = renderAt(at, routes);
    await choose(user, 'Net sales', 'Deactivate');
    expect(await screen.findByText('Inactive')).toBeVisible();
    await waitFor(() => expect(success).toHaveBeenCalledWith('Successfully deactivated memory'));
    await choose(user, 'Net sales', 'Activate');
    await waitFor(() => expect(success).toHaveBeenCalledWith('Successfully activated memory'));
    await waitFor(() => expect(screen.queryByText('Inactive')).toBeNull());
    server.use(http.patch(api('memory/memories/1'), () => problem(500, 'internal', 'Later.')));
    await choose(user, 'Net sales', 'Deactivate');
    await waitFor(() => expect(error).toHaveBeenCalledWith('Failed to deactivate memory status: Later.'));
    expect(screen.queryByText('Inactive')).toBeNull();
  });

  it('stays off when it cannot be switched on', async () => {
    const error = vi.spyOn(notify, 'error');
    keeps([memoryOf({ isEnabled: false })]);
    server.use(http.patch(api('memory/memories/1'), () => problem(500, 'internal', 'Later.')));
    const { user } = renderAt(at, routes);
    await choose(user, 'Net sales', 'Activate');
    await waitFor(() => expect(error).toHaveBeenCalledWith('Failed to activate memory status: Later.'));
    expect(screen.getByText('Inactive')).toBeVisible();
  });
});

describe('the dialog of a memory', () => {
  it('asks for all that is needed with one message', async () => {
    const { sent } = keeps([]);
    const { user } = renderAt(at, routes);
    await screen.findByRole('heading', { name: 'No memories' });
    await user.click(screen.getByRole('button', { name: 'Create Memory' }));
    const dialog = await screen.findByRole('dialog', { name: 'Create Memory' });
    await user.click(within(dialog).getByRole('button', { name: 'Create Memory' }));
    expect(await within(dialog).findByText('All fields are required')).toBeVisible();
    expect(within(dialog).getAllByText('Required')).toHaveLength(4);
    expect(within(dialog).getByRole('textbox', { name: /^Name/u })).toHaveAccessibleDescription(/Required/u);
    expect(within(dialog).getByRole('textbox', { name: /^Name/u })).toHaveFocus();
    expect(sent).toEqual([]);
    for (const name of [/^Name/u, /^Question/u, /^Response/u]) {
      await user.type(within(dialog).getByRole('textbox', { name }), 'Words');
    }
    expect(within(dialog).getAllByText('Required')).toHaveLength(1);
    expect(within(dialog).getByText('All fields are required')).toBeVisible();
    await user.click(within(dialog).getByRole('combobox', { name: /^Type/u }));
    await user.click(await screen.findByRole('option', { name: 'Definition' }));
    await waitFor(() => expect(within(dialog).queryByText('All fields are required')).toBeNull());
    expect(within(dialog).queryByText('Required')).toBeNull();
  });

  it('makes a memory of words and code, and shows it on the page where one is', async () => {
    const success = vi.spyOn(notify, 'success');
    const { sent } = keeps(many(10));
    const { user } = renderAt(at, routes);
    await waitFor(() => expect(names()).toHaveLength(10));
    await user.click(screen.getByRole('button', { name: 'Create Memory' }));
    const dialog = await screen.findByRole('dialog', { name: 'Create Memory' });
    await user.type(within(dialog).getByRole('textbox', { name: /^Name/u }), 'Gross sales');
    await user.type(within(dialog).getByRole('textbox', { name: /^Question/u }), 'What are gross sales?');
    await user.type(within(dialog).getByRole('textbox', { name: /^Response/u }), 'All sales.');
    await user.type(within(dialog).getByRole('textbox', { name: 'Code' }), 'SELECT 1 FROM t');
    await user.click(within(dialog).getByRole('combobox', { name: /^Type/u }));
    await user.click(await screen.findByRole('option', { name: 'Definition' }));
    await user.click(within(dialog).getByRole('combobox', { name: 'Labels' }));
    await user.click(await screen.findByRole('option', { name: 'Sales' }));
    await user.keyboard('{Escape}');
    await user.click(within(dialog).getByRole('switch', { name: 'Always recall' }));
    await user.click(within(dialog).getByRole('button', { name: 'Create Memory' }));
    await waitFor(() => expect(names()[0]).toBe('Gross sales'));
    expect(names()).toHaveLength(10);
    expect(sent).toEqual([
      {
        name: 'Gross sales',
        question: 'What are gross sales?',
        type: 2,
        labels: [5],
        alwaysRecalled: true,
        response: 'All sales.\n\n```sql\nSELECT 1 FROM t\n```',
      },
    ]);
    expect(success).toHaveBeenCalledWith('Memory created successfully');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('keeps what was entered when a memory cannot be made, and says so in the words of a change', async () => {
    const error = vi.spyOn(notify, 'error');
    keeps([]);
    server.use(http.post(api('memory/memories'), () => problem(500, 'internal', 'Later.')));
    const { user } = renderAt(at, routes);
    const [create] = await screen.findAllByRole('button', { name: 'Create Memory' });
    await user.click(create!);
    const dialog = await screen.findByRole('dialog', { name: 'Create Memory' });
    await user.type(within(dialog).getByRole('textbox', { name: /^Name/u }), 'Gross');
    await user.type(within(dialog).getByRole('textbox', { name: /^Question/u }), 'What?');
    await user.type(within(dialog).getByRole('textbox', { name: /^Response/u }), 'All.');
    await user.click(within(dialog).getByRole('combobox', { name: /^Type/u }));
    await user.click(await screen.findByRole('option', { name: 'Definition' }));
    await user.click(within(dialog).getByRole('button', { name: 'Create Memory' }));
    await waitFor(() => expect(error).toHaveBeenCalledWith('Failed to update memory'));
    expect(within(dialog).getByRole('textbox', { name: /^Name/u })).toHaveValue('Gross');
  });

  it('changes a memory from the version that was opened', async () => {
    const success = vi.spyOn(notify, 'success');
    const given = memoryOf({ version: 4, value: 'Old.\n\n```sql\nSELECT 1\n```' });
    const state = keeps([given]);
    server.use(
      http.put(api('memory/memories/1'), async ({ request }) => {
        const sent = (await request.json()) as MemoryRequest;
        state.sent.push(sent);
        state.memories = [memoryOf({ index: sent.question ?? '' })];
        return HttpResponse.json(state.memories[0]);
      }),
    );
    const { user } = renderAt(at, routes);
    await user.click(await screen.findByRole('button', { name: 'Net sales' }));
    const dialog = await screen.findByRole('dialog', { name: 'Edit Memory' });
    expect(within(dialog).getByRole('textbox', { name: 'Code' })).toHaveValue('SELECT 1');
    expect(within(dialog).getByRole('button', { name: 'Save' })).toBeDisabled();
    const question = within(dialog).getByRole('textbox', { name: /^Question/u });
    await user.clear(question);
    await user.type(question, 'And net?');
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('And net?')).toBeVisible();
    expect(state.sent).toEqual([
      expect.objectContaining({ question: 'And net?', version: 4, response: given.value }),
    ]);
    expect(success).toHaveBeenCalledWith('Memory updated successfully');
  });

  it('stays open with what the server says, at its field', async () => {
    const error = vi.spyOn(notify, 'error');
    keeps([memoryOf()]);
    server.use(
      http.put(api('memory/memories/1'), () =>
        problem(422, 'invalid', 'Please check.', [{ field: 'question', message: 'The text is too long' }]),
      ),
    );
    const { user } = renderAt(at, routes);
    await user.click(await screen.findByRole('button', { name: 'Net sales' }));
    const dialog = await screen.findByRole('dialog', { name: 'Edit Memory' });
    await user.type(within(dialog).getByRole('textbox', { name: /^Question/u }), '!');
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(await within(dialog).findByText('The text is too long')).toBeVisible();
    expect(error).toHaveBeenCalledWith('Failed to update memory');
  });
});
