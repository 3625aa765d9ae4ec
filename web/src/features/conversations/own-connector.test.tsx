import { screen, waitFor, within } from '@testing-library/react';
import { useSnapshot } from 'valtio';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  closeConversation,
  openConversation,
  patchSession,
  sessionState,
} from '@/stores/conversation-session';
import { loadConversationSources } from '@/stores/conversation-sources-store';
import { dataSources, loadDataSources, resetDataSources } from '@/stores/datasources-store/sources';
import { resetDrafts } from '@/stores/drafts-store';
import { conversationOf, dataSourceOf } from '@/testing/fixtures/wire';
import { renderPart } from '@/testing/render';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { ConversationView } from './conversation-view';

const orders = dataSourceOf({ id: 1, name: 'Orders' });
const its = dataSourceOf({ id: 5, name: 'Survey', scope: 'conversation', conversationId: 'c1' });
const other = dataSourceOf({ id: 6, name: 'Diary', scope: 'conversation', conversationId: 'c2' });

const csvType = {
  id: 'csv',
  name: 'CSV',
  extensions: ['.csv'],
  mediaTypes: ['text/csv'],
  maxSize: 1 << 20,
  isUploadable: true,
};

function Open() {
  const { current } = useSnapshot(sessionState);
  if (current.phase !== 'ready') return null;
  return <ConversationView {...current} />;
}

/** The open conversation, whose chosen connectors are these. */
async function setup(chosen: number[], held = [orders, its, other], told = [its], canSend = true) {
  const sent: { prompts: object[]; changes: object[] } = { prompts: [], changes: [] };
  const { abilities, ...conversation } = conversationOf({ id: 'c1', dataSources: chosen });
  server.use(
    http.get(api('memory/datasources'), () => page(held)),
    http.get(api('memory/datasources/type'), () => page([])),
    http.get(api('discourse/projectlabels'), () => page([])),
    http.get(api('analyst/analysts'), () => page([])),
    http.get(api('discourse/conversations/c1'), () =>
      HttpResponse.json({ ...conversation, abilities: { ...abilities, send: canSend } }),
    ),
    http.get(api('discourse/conversations/c1/data-sources'), () => page(told)),
    http.patch(api('discourse/conversations/c1'), async ({ request }) => {
      sent.changes.push((await request.json()) as object);
      return HttpResponse.json({ id: 'c1' });
    }),
    http.post(api('discourse/user-text'), async ({ request }) => {
      sent.prompts.push((await request.json()) as object);
      return HttpResponse.json({});
    }),
  );
  await Promise.all([loadDataSources(), openConversation('c1'), loadConversationSources('c1')]);
  return { sent, ...renderPart(<Open />) };
}

// jsdom does not implement it, because it has no layout.
Element.prototype.scrollTo = () => undefined;

beforeEach(() => {
  closeConversation();
  resetDataSources();
  resetDrafts();
});

describe('a connector that belongs to the conversation', () => {
  it('is chosen without being asked for, goes with each question, and cannot be taken away', async () => {
    const { user, sent } = await setup([]);
    expect(screen.getByText('Survey')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Remove Survey' })).toBeNull();
    // A connector of another conversation is not chosen here.
    expect(screen.queryByText('Diary')).toBeNull();
    await user.type(screen.getByRole('textbox', { name: 'Message' }), 'How many?{Enter}');
    await expect.poll(() => sent.prompts).toMatchObject([{ dataSources: [5] }]);
  });

  it('is beside those that were chosen, which can be taken away', async () => {
    const { user, sent } = await setup([1]);
    await user.click(screen.getByRole('button', { name: 'Remove Orders' }));
    await expect.poll(() => sent.changes).toEqual([{ dataSources: [] }]);
    expect(screen.getByText('Survey')).toBeVisible();
  });

  it('stays chosen in the dialog, whose choice names the others alone', async () => {
    const { user, sent } = await setup([1]);
    await user.click(screen.getByRole('button', { name: 'Add Connector' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Survey' }));
    expect(dialog.getAllByRole('button', { name: 'Add connector' }).at(-1)).toBeDisabled();
    await user.click(dialog.getByRole('button', { name: 'Diary' }));
    await user.click(dialog.getByRole('button', { name: 'Add 1 connector' }));
    await expect.poll(() => sent.changes).toEqual([{ dataSources: [1, 6] }]);
  });

  it('is there for those with whom the conversation is shared, though it is not in their list', async () => {
    await setup([], [orders]);
    expect(screen.getByRole('tab', { name: /Connectors \(1\)/u })).toBeVisible();
  });

  it('is said to be missing to those with whom the conversation is shared without it', async () => {
    await setup([1], [], [], false);
    expect(
      await screen.findByText(/cannot send messages. Its data are not shared with you.$/u),
    ).toBeVisible();
    expect(screen.queryByRole('tab', { name: /Connectors/u })).toBeNull();
  });

  it('is counted for them where they have others of the conversation', async () => {
    await setup([1, 3], [], [orders], false);
    expect(await screen.findByText(/1 of its connectors is not shared with you.$/u)).toBeVisible();
    expect(screen.getByRole('tab', { name: /Connectors \(1\)/u })).toBeVisible();
  });

  it('is made by an upload in the dialog, and is chosen at once', async () => {
    const made = dataSourceOf({ id: 7, name: 'Harvest', scope: 'conversation', conversationId: 'c1' });
    const { user, sent } = await setup([1], [orders], []);
    const forms: FormData[] = [];
    server.use(
      http.get(api('memory/datasources/type'), () => page([csvType])),
      http.post(api('memory/file/info'), () =>
        HttpResponse.json({ name: 'harvest', description: 'Kilos.', delimiter: ',' }),
      ),
      http.post(api('memory/file/datasources'), async ({ request }) => {
        forms.push(await request.formData());
        return HttpResponse.json(made, { status: 201 });
      }),
    );
    await loadDataSources();
    await user.click(screen.getByRole('button', { name: 'Add Connector' }));
    const picker = within(await screen.findByRole('dialog'));
    await user.click(picker.getAllByRole('button', { name: 'Add connector' })[0]!);
    await user.upload(await screen.findByLabelText('Choose a file'), new File(['a\n1\n'], 'harvest.csv'));
    await screen.findByDisplayValue('Kilos.');
    await user.click(screen.getByRole('switch', { name: 'Only for this conversation' }));
    await user.click(screen.getAllByRole('button', { name: 'Add connector' }).at(-1)!);
    // Both dialogs close: there is nothing left to choose.
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByText('Harvest')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Remove Harvest' })).toBeNull();
    expect(forms[0]?.get('conversation_id')).toBe('c1');
    expect(sent.changes).toEqual([]);
  });

  it('goes when it is deleted', async () => {
    await setup([], [its], []);
    expect(screen.getByText('Survey')).toBeVisible();
    dataSources.forget(5);
    await waitFor(() => expect(screen.queryByText('Survey')).toBeNull());
  });
});

describe('a connector that was deleted or withdrawn', () => {
  const deleted = () => {
    const fetched: string[] = [];
    server.use(
      http.get(api('memory/datasources/:id'), ({ params }) => {
        fetched.push(String(params['id']));
        return problem(404, 'E404', 'Not found');
      }),
    );
    return fetched;
  };

  it('is shown as unavailable, without its number, and can be taken out', async () => {
    deleted();
    const { user, sent } = await setup([9, 1, 8], [orders], []);
    expect(await screen.findByText('2 connectors no longer available')).toBeVisible();
    expect(screen.queryByText(/Connector [89]/u)).toBeNull();
    expect(screen.getByRole('tab', { name: /Connectors \(1\)/u })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Remove 2 connectors no longer available' }));
    await expect.poll(() => sent.changes).toEqual([{ dataSources: [1] }]);
  });

  it('leaves no tab of connectors behind, and goes with the question so that the answer says why', async () => {
    deleted();
    const { user, sent } = await setup([9], [], []);
    expect(await screen.findByText('Connector no longer available')).toBeVisible();
    expect(screen.queryByRole('tab', { name: /Connectors/u })).toBeNull();
    await user.type(screen.getByRole('textbox', { name: 'Message' }), 'How many?{Enter}');
    await expect.poll(() => sent.prompts).toMatchObject([{ dataSources: [9] }]);
  });

  it('shows the conversation when the tab of connectors was open', async () => {
    deleted();
    const { user } = await setup([1], [orders], []);
    await user.click(screen.getByRole('tab', { name: /Connectors \(1\)/u }));
    expect(await screen.findByRole('article', { name: 'Orders' })).toBeVisible();
    dataSources.forget(1);
    expect(await screen.findByText('Connector no longer available')).toBeVisible();
    expect(screen.queryByRole('tab', { name: /Connectors/u })).toBeNull();
    expect(screen.getByRole('tab', { name: /Analytics/u, selected: true })).toBeVisible();
  });

  it('is shown by its name when it was added in another tab', async () => {
    deleted();
    const { sent } = await setup([1], [orders], [dataSourceOf({ id: 1, name: 'Orders' })]);
    server.use(
      http.get(api('memory/datasources/:id'), () =>
        HttpResponse.json(dataSourceOf({ id: 4, name: 'Harvest' })),
      ),
    );
    patchSession('c1', { dataSources: [1, 4] });
    expect(await screen.findByRole('button', { name: 'Remove Harvest' })).toBeVisible();
    expect(screen.queryByText(/no longer available/u)).toBeNull();
    expect(sent.changes).toEqual([]);
  });

  it('says its name when only the conversation knows of it, as of an archived one', async () => {
    const fetched = deleted();
    await setup([4], [orders], [dataSourceOf({ id: 4, name: 'Harvest' })]);
    expect(screen.getByRole('button', { name: 'Remove Harvest' })).toBeVisible();
    expect(fetched).toEqual([]);
  });
});
