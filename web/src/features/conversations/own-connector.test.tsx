import { screen, waitFor, within } from '@testing-library/react';
import { useSnapshot } from 'valtio';
import { beforeEach, describe, expect, it } from 'vitest';
import { closeConversation, openConversation, sessionState } from '@/stores/conversation-session';
import { loadConversationSources } from '@/stores/conversation-sources-store';
import { dataSources, loadDataSources, resetDataSources } from '@/stores/datasources-store/sources';
import { resetDrafts } from '@/stores/drafts-store';
import { conversationOf, dataSourceOf } from '@/testing/fixtures/wire';
import { renderPart } from '@/testing/render';
import { api, http, HttpResponse, page, server } from '@/testing/server';
import { ConversationView } from './conversation-view';

const orders = dataSourceOf({ id: 1, name: 'Orders' });
const its = dataSourceOf({ id: 5, name: 'Survey', scope: 'conversation', conversationId: 'c1' });
const other = dataSourceOf({ id: 6, name: 'Diary', scope: 'conversation', conversationId: 'c2' });

function Open() {
  const { current } = useSnapshot(sessionState);
  if (current.phase !== 'ready') return null;
  return <ConversationView {...current} />;
}

/** The open conversation, whose chosen connectors are these. */
async function setup(chosen: number[], held = [orders, its, other], told = [its]) {
  const sent: { prompts: object[]; changes: object[] } = { prompts: [], changes: [] };
  const conversation = conversationOf({ id: 'c1', dataSources: chosen });
  server.use(
    http.get(api('memory/datasources'), () => page(held)),
    http.get(api('memory/datasources/type'), () => page([])),
    http.get(api('discourse/projectlabels'), () => page([])),
    http.get(api('analyst/analysts'), () => page([])),
    http.get(api('discourse/conversations/c1'), () => HttpResponse.json(conversation)),
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
    // One of another conversation is not chosen here.
    expect(screen.queryByText('Diary')).toBeNull();
    await user.type(screen.getByRole('textbox', { name: 'Message' }), 'How many?{Enter}');
    await expect.poll(() => sent.prompts).toMatchObject([{ dataSources: [5] }]);
  });

  it('stands beside those that were chosen, which can be taken away', async () => {
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

  it('goes when it is deleted', async () => {
    await setup([], [its], []);
    expect(screen.getByText('Survey')).toBeVisible();
    dataSources.forget(5);
    await waitFor(() => expect(screen.queryByText('Survey')).toBeNull());
  });
});
