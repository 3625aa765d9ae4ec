import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import type { Blueprint } from '@/lib/wire';
import { resetBlueprints } from '@/stores/blueprints-store/blueprints';
import { resetProjectLabels } from '@/stores/project-labels-store';
import { ada, blueprintOf } from '@/testing/fixtures/wire';
import { renderAt } from '@/testing/render';
import { nobody, signIn } from '@/testing/sign-in';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { Component as EditPage } from './blueprint-edit-page';
import { Component as NewPage } from './new-blueprint-page';

const own = blueprintOf({
  id: 8,
  name: 'Weekly numbers',
  owner: ada,
  permission: 'owner',
  isLibrary: false,
  version: 3,
  abilities: { ...blueprintOf().abilities, edit: true, delete: true, manageAccess: true, archive: true },
  steps: ['Load', 'Compare', 'Tell'].map((name, index) => ({
    ...blueprintOf().steps[0]!,
    id: index + 1,
    name,
    order: index + 1,
    detailedInstructions: `${name} it.`,
  })),
});

interface Body {
  name: string;
  version?: number;
  removedSteps?: number[];
  steps: Record<string, unknown>[];
}

/** What was sent to the server, and what it answers. */
function answerSaves(
  answer: (body: Body) => Response = (body) => HttpResponse.json({ ...own, name: body.name }),
) {
  const bodies: Body[] = [];
  const handle = async ({ request }: { request: Request }): Promise<Response> => {
    const body = (await request.json()) as Body;
    bodies.push(body);
    return answer(body);
  };
  server.use(http.post(api('discourse/blueprints'), handle), http.put(api('discourse/blueprints/8'), handle));
  return bodies;
}

const pages = {
  '/blueprints/new': <NewPage />,
  '/blueprints/:blueprintId/edit': <EditPage />,
  '/blueprints/:blueprintId': <p>The blueprint</p>,
  '/blueprints': <p>The list</p>,
};

async function openEdit(blueprint: Blueprint = own) {
  server.use(http.get(api(`discourse/blueprints/${blueprint.id}`), () => HttpResponse.json(blueprint)));
  const rendered = renderAt(`/blueprints/${blueprint.id}/edit`, pages);
  await screen.findByRole('textbox', { name: 'Title' });
  return rendered;
}

const field = (name: string) => screen.getByRole('textbox', { name });
const press = (name: string | RegExp) => screen.getByRole('button', { name });
const steps = () => within(screen.getByRole('navigation', { name: 'Steps' }));
const cards = () => screen.getAllByRole('article').map((card) => card.getAttribute('aria-label'));
const card = (name: RegExp) => within(screen.getByRole('article', { name }));

beforeEach(async () => {
  resetBlueprints();
  resetProjectLabels();
  nobody();
  vi.spyOn(notify, 'progress').mockReturnValue();
  vi.spyOn(notify, 'resolved').mockReturnValue();
  vi.spyOn(notify, 'error').mockReturnValue();
  server.use(
    http.get(api('user/me'), () => HttpResponse.json(ada)),
    http.get(api('discourse/projectlabels'), () =>
      page([{ id: 4, name: 'Growth', description: '', color: '' }]),
    ),
    http.get(api('memory/memories'), () => page([])),
    http.post(api('discourse/blueprints/initial-message'), () =>
      HttpResponse.json({ initialMessage: 'Please work through it.' }),
    ),
  );
  await signIn();
});

describe('a new blueprint', () => {
  it('is gone through step by step, and is sent with its steps', async () => {
    const bodies = answerSaves();
    const { user, where } = renderAt('/blueprints/new', pages);
    expect(press('Next')).toBeDisabled();
    await user.type(field('Title'), 'Weekly');
    await user.click(press('Next'));
    await user.click(press('Next'));
    await user.type(field('Inputs, one per line'), 'Region: North{Enter}Year');
    expect(screen.getByText('2 inputs')).toBeVisible();
    await user.click(press('Next'));
    expect(field('Step name')).toHaveValue('Step 1');
    await user.type(field('Detailed instructions'), 'Sum up.');
    await user.click(press('Create blueprint'));
    await screen.findByText('The blueprint');
    expect(where()).toBe('/blueprints/8');
    expect(bodies).toMatchObject([
      {
        name: 'Weekly',
        inputParameters: 'Region: North\nYear',
        steps: [{ name: 'Step 1', order: 1, detailedInstructions: 'Sum up.', code: null }],
      },
    ]);
  });

  it('says what is missing, and sends nothing', async () => {
    const bodies = answerSaves();
    const { user } = renderAt('/blueprints/new', pages);
    await user.type(field('Title'), 'W');
    await user.clear(field('Title'));
    await user.type(field('Description'), 'x');
    await user.click(press('Create blueprint'));
    expect(await screen.findByText('Please enter the title.')).toBeVisible();
    expect(field('Title')).toHaveFocus();
    expect(bodies).toEqual([]);
  });
});

describe('the plan', () => {
  async function openPlan(blueprint?: Blueprint) {
    const rendered = await openEdit(blueprint);
    await rendered.user.click(steps().getByRole('button', { name: /Workflow Plan/u }));
    return rendered;
  }

  it('adds steps by their number, removes them, and names those that left when it is saved', async () => {
    const bodies = answerSaves();
    const { user } = await openPlan();
    expect(cards()).toEqual(['Step 1: Load', 'Step 2: Compare', 'Step 3: Tell']);
    await user.click(press('Add step'));
    expect(cards()[3]).toBe('Step 4: Step 4');
    const added = card(/Step 4: Step 4/u);
    await waitFor(() => expect(added.getByRole('textbox', { name: 'Step name' })).toHaveFocus());
    await user.type(added.getByRole('textbox', { name: 'Detailed instructions' }), 'Send it.');
    await user.click(press('Remove Compare'));
    expect(cards()).toEqual(['Step 1: Load', 'Step 2: Tell', 'Step 3: Step 4']);
    await user.click(press('Save changes'));
    await screen.findByText('The blueprint');
    expect(bodies).toMatchObject([
      {
        version: 3,
        removedSteps: [2],
        steps: [
          { id: 1, order: 1 },
          { id: 3, order: 2 },
          { name: 'Step 4', order: 3 },
        ],
      },
    ]);
    expect(notify.progress).toHaveBeenCalledWith(expect.anything(), 'Updating steps to blueprint...');
  });

  it('keeps the only step', async () => {
    const { user } = await openPlan();
    await user.click(press('Remove Compare'));
    await user.click(press('Remove Tell'));
    expect(cards()).toEqual(['Step 1: Load']);
    expect(screen.queryByRole('button', { name: 'Remove Load' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Move Load' })).toBeNull();
  });

  it('moves a step by the keyboard', async () => {
    const bodies = answerSaves();
    const { user } = await openPlan();
    press('Move Tell').focus();
    await user.keyboard('{Alt>}{ArrowUp}{ArrowUp}{/Alt}');
    expect(cards()).toEqual(['Step 1: Tell', 'Step 2: Load', 'Step 3: Compare']);
    expect(press('Move Tell')).toHaveFocus();
    await user.click(press('Save changes'));
    await screen.findByText('The blueprint');
    expect(bodies[0]?.steps).toMatchObject([
      { id: 3, order: 1 },
      { id: 1, order: 2 },
      { id: 2, order: 3 },
    ]);
  });

  it('adds sections by chips, and clears what a section had when it is taken away', async () => {
    const bodies = answerSaves();
    const { user } = await openPlan();
    const load = card(/Load/u);
    await user.click(load.getByRole('button', { name: 'Add Memories' }));
    expect(load.getByRole('combobox', { name: 'Memories' })).toBeVisible();
    await user.click(load.getByRole('button', { name: 'Add Agent' }));
    expect(load.getByRole('combobox', { name: 'Agent' })).toHaveTextContent('That of the conversation');
    await user.click(load.getByRole('button', { name: 'Remove Detailed instructions of Load' }));
    await user.click(load.getByRole('button', { name: 'Add Detailed instructions' }));
    const text = load.getByRole('textbox', { name: 'Detailed instructions' });
    expect(text).toHaveValue('');
    await waitFor(() => expect(text).toHaveFocus());
    await user.type(text, 'Anew.');
    await user.click(press('Save changes'));
    await screen.findByText('The blueprint');
    expect(bodies[0]?.steps[0]).toMatchObject({ detailedInstructions: 'Anew.', memories: [], analyst: null });
  });

  it('says at each step what is missing there', async () => {
    const bodies = answerSaves();
    const { user } = await openPlan();
    await user.clear(card(/Load/u).getByRole('textbox', { name: 'Step name' }));
    await user.click(press('Remove Detailed instructions of Compare'));
    await user.clear(card(/Tell/u).getByRole('textbox', { name: 'Detailed instructions' }));
    await user.type(card(/Tell/u).getByRole('textbox', { name: 'Detailed instructions' }), '  ');
    await user.click(press('Save changes'));
    expect(await screen.findByText('Please enter step name.')).toBeVisible();
    expect(
      card(/Compare/u).getByText(
        'At least one of Detailed Instructions, QA Instructions, or Code must be provided.',
      ),
    ).toBeVisible();
    expect(card(/Tell/u).getByText('Detailed instructions cannot be empty')).toBeVisible();
    // A step without a name is named by its number.
    await waitFor(() =>
      expect(card(/Step 1: Step 1/u).getByRole('textbox', { name: 'Step name' })).toHaveFocus(),
    );
    expect(bodies).toEqual([]);
    await user.click(card(/Compare/u).getByRole('button', { name: 'Add Code' }));
    expect(card(/Compare/u).queryByText(/At least one of/u)).toBeNull();
  });

  it('puts what the server says at the step that it is about', async () => {
    const fields = [{ field: 'steps[1].name', message: 'The name of a step has at most 80 characters.' }];
    answerSaves(() => problem(422, 'invalid', 'The input is not valid', fields));
    const { user } = await openPlan();
    await user.type(card(/Load/u).getByRole('textbox', { name: 'Step name' }), '!');
    await user.click(press('Save changes'));
    expect(await card(/Compare/u).findByText('The name of a step has at most 80 characters.')).toBeVisible();
  });

  it('offers QA instructions to superusers alone', async () => {
    await openPlan();
    expect(screen.queryByRole('button', { name: 'Add QA instructions' })).toBeNull();
  });

  it('folds a step, and opens it when something is wrong in it', async () => {
    const { user } = await openPlan();
    await user.clear(card(/Tell/u).getByRole('textbox', { name: 'Detailed instructions' }));
    await user.click(press('Fold Tell'));
    expect(card(/Tell/u).queryByRole('textbox', { name: 'Detailed instructions' })).toBeNull();
    await user.click(press('Save changes'));
    expect(await card(/Tell/u).findByText('Please enter step detailed instructions')).toBeVisible();
  });
});

describe('a superuser', () => {
  it('adds QA instructions', async () => {
    server.use(http.get(api('user/me'), () => HttpResponse.json({ ...ada, isSuperuser: true })));
    nobody();
    await signIn();
    const { user } = await openEdit();
    await user.click(steps().getByRole('button', { name: /Workflow Plan/u }));
    await user.click(card(/Load/u).getByRole('button', { name: 'Add QA instructions' }));
    await user.click(press('Save changes'));
    expect(await screen.findByText('Please enter step QA Instructions')).toBeVisible();
  });
});

describe('the message', () => {
  async function openInputs(blueprint?: Blueprint) {
    const rendered = await openEdit(blueprint);
    await rendered.user.click(steps().getByRole('button', { name: /Plan inputs/u }));
    return rendered;
  }

  it('is previewed as it will be sent, with the values that are tried', async () => {
    const { user } = await openInputs({ ...own, initialMessage: 'How is {{region}} doing?' });
    const preview = screen.getByRole('group', { name: 'Preview' });
    expect(preview.textContent).toBe('How is Region doing?\n\nYear: Year');
    await user.type(field('Value of Region'), 'North');
    expect(preview.textContent).toBe('How is North doing?\n\nYear: Year');
  });

  it('is what the server writes when none is given', async () => {
    await openInputs();
    expect(await screen.findByText('Please work through it.')).toBeVisible();
    expect(screen.getByText('Written from the steps, because no message is given.')).toBeVisible();
  });

  it('takes the place of a value where the cursor is', async () => {
    const { user } = await openInputs({ ...own, initialMessage: 'Show .' });
    const message = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Initial user message' });
    await user.click(message);
    message.setSelectionRange(5, 5);
    await user.click(press('Insert the place of Region'));
    expect(message).toHaveValue('Show {{Region}}.');
  });

  it('is written on request, and asks before it replaces one', async () => {
    const { user } = await openInputs({ ...own, initialMessage: 'Mine.' });
    await user.click(press('Write it for me'));
    const asked = within(await screen.findByRole('alertdialog', { name: 'Replace the message?' }));
    await user.click(asked.getByRole('button', { name: 'Replace' }));
    await waitFor(() => expect(field('Initial user message')).toHaveValue('Please work through it.'));
  });

  it('says that it could not be written', async () => {
    const { user } = await openInputs({ ...own, initialMessage: '' });
    server.use(http.post(api('discourse/blueprints/initial-message'), () => problem(500, 'I500', 'Broken.')));
    await user.click(press('Write it for me'));
    await waitFor(() =>
      expect(notify.error).toHaveBeenCalledExactlyOnceWith('The message could not be written'),
    );
  });
});

describe('a conflict', () => {
  const latest = { ...own, version: 7, steps: own.steps.slice(0, 2) };

  async function meet() {
    let version = 7;
    const bodies = answerSaves((body) =>
      body.version === version
        ? HttpResponse.json({ ...own, version: (version += 1) })
        : problem(409, 'conflict', 'Somebody else changed this meanwhile. Please load it again.'),
    );
    const { user, where } = await openEdit();
    server.use(http.get(api('discourse/blueprints/8'), () => HttpResponse.json(latest)));
    await user.type(field('Title'), '!');
    await user.click(press('Save changes'));
    await screen.findByRole('alertdialog', { name: 'Somebody else has changed this blueprint meanwhile.' });
    return { user, where, bodies };
  }

  it('keeps what was typed when the person continues', async () => {
    const { user } = await meet();
    await user.click(press('Keep editing'));
    expect(await screen.findByText(/Your changes are still here and not saved/u)).toBeVisible();
    expect(field('Title')).toHaveValue('Weekly numbers!');
  });

  it('saves over it, with the steps that the other has removed as new ones', async () => {
    const { user, bodies } = await meet();
    await user.click(press('Save mine over it'));
    await screen.findByText('The blueprint');
    expect(bodies.at(-1)).toMatchObject({ name: 'Weekly numbers!', version: 7 });
    expect(bodies.at(-1)?.steps.map((step) => step['id'])).toEqual([1, 2, undefined]);
  });

  it('loads it again when the person discards the changes', async () => {
    const { user, where } = await meet();
    await user.click(press('Discard mine and load it again'));
    await waitFor(() => expect(field('Title')).toHaveValue('Weekly numbers'));
    expect(press('Save changes')).toBeDisabled();
    expect(where()).toBe('/blueprints/8/edit');
  });
});

describe('leaving', () => {
  it('asks before unsaved changes are lost', async () => {
    const { user, where } = await openEdit();
    await user.type(field('Title'), '!');
    await user.click(press('Cancel'));
    const asked = within(await screen.findByRole('alertdialog', { name: 'Discard your changes?' }));
    await user.click(asked.getByRole('button', { name: 'Discard changes' }));
    await screen.findByText('The blueprint');
    expect(where()).toBe('/blueprints/8');
  });
});

describe('others than the owner', () => {
  it('see the form, and change nothing', async () => {
    const { user } = await openEdit(blueprintOf());
    expect(screen.getByText(/Only the owner can change this blueprint/u)).toBeVisible();
    expect(field('Title')).toHaveAttribute('readonly');
    expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull();
    await user.click(steps().getByRole('button', { name: /Workflow Plan/u }));
    expect(screen.queryByRole('button', { name: 'Add step' })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Move/u })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Add /u })).toBeNull();
  });
});
