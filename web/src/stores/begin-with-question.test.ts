import { beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetPerson } from '@/lib/at-sign-out';
import { notify } from '@/lib/notify';
import { conversationOf } from '@/testing/fixtures/wire';
import { hold } from '@/testing/hold';
import { api, http, HttpResponse, problem, server } from '@/testing/server';
import { beginningsState, beginWithQuestion, resetBeginnings } from './begin-with-question';
import { closeConversation, sessionState } from './conversation-session';
import { conversationsState, resetConversations } from './conversations-store';
import { changeDraft, draftsState, homeDraft, newDraft, resetDrafts } from './drafts-store';

const question = { text: 'How many are open?\nBy region.', dataSources: [2, 1], analystId: 4 };

interface Sent {
  made: object[];
  keys: (string | null)[];
  prompts: object[];
}

/** A server that makes conversations and accepts prompts, and records the requests. */
function accepting(): Sent {
  const sent: Sent = { made: [], keys: [], prompts: [] };
  server.use(
    http.post(api('discourse/conversations'), async ({ request }) => {
      sent.made.push((await request.json()) as object);
      sent.keys.push(request.headers.get('Idempotency-Key'));
      return HttpResponse.json(conversationOf({ id: 'c1' }));
    }),
    http.get(api('discourse/conversations/:id'), () => HttpResponse.json(conversationOf({ id: 'c1' }))),
    http.post(api('discourse/user-text'), async ({ request }) => {
      sent.prompts.push((await request.json()) as object);
      return HttpResponse.json({});
    }),
  );
  return sent;
}

/** A message box on a page, which is shown until it is left. */
function boxOf(draft = newDraft) {
  const page = { isShown: true };
  const onBegun = vi.fn<(id: string) => void>();
  return { page, onBegun, box: { draft, isShown: () => page.isShown, onBegun } };
}

beforeEach(() => {
  resetBeginnings();
  resetConversations();
  resetDrafts();
  closeConversation();
});

describe.each([newDraft, homeDraft])('beginWithQuestion from the box %s', (draft) => {
  it('makes a conversation with the connectors, sends the question to its agent, and leads there', async () => {
    const sent = accepting();
    const { box, onBegun } = boxOf(draft);
    changeDraft(draft, { text: question.text, dataSources: [2, 1], analystId: 4 });
    await beginWithQuestion(question, box);
    expect(sent.made).toMatchObject([{ name: 'How many are open?', dataSources: [2, 1] }]);
    expect(sent.prompts).toMatchObject([
      { conversationId: 'c1', dataSources: [2, 1], message: { text: question.text, analystId: 4 } },
    ]);
    expect(onBegun).toHaveBeenCalledExactlyOnceWith('c1');
    expect(sessionState.current).toMatchObject({ id: 'c1', phase: 'ready' });
    expect(conversationsState.byId['c1']).toBeDefined();
    // The box is empty, and the conversation continues with the agent that was asked.
    expect(draftsState.drafts).toEqual({ c1: { text: '', dataSources: null, analystId: 4, queued: null } });
  });

  it('sends nothing of blanks', async () => {
    const sent = accepting();
    await beginWithQuestion({ ...question, text: ' \n' }, boxOf(draft).box);
    expect(sent.made).toEqual([]);
  });

  it.each(['x'.repeat(200_000), 'ä'.repeat(32 * 1024 + 1)])(
    'makes no conversation of a question that is too long, says so, and keeps its text',
    async (text) => {
      const told = vi.spyOn(notify, 'error').mockReturnValue();
      const sent = accepting();
      const { box, onBegun } = boxOf(draft);
      changeDraft(draft, { text });
      await beginWithQuestion({ ...question, text }, box);
      expect(sent).toMatchObject({ made: [], prompts: [] });
      expect(onBegun).not.toHaveBeenCalled();
      expect(told).toHaveBeenCalledExactlyOnceWith('The message is too long. Please shorten it');
      expect(draftsState.drafts[draft]?.text).toBe(text);
      // Its box is free again for a shorter one, up to the limit itself.
      await beginWithQuestion({ ...question, text: 'ä'.repeat(32 * 1024) }, box);
      expect(sent.prompts).toHaveLength(1);
    },
  );

  it('sends once, however often it is pressed', async () => {
    const sent = accepting();
    const { box, onBegun } = boxOf(draft);
    const first = beginWithQuestion(question, box);
    expect(beginningsState.underway).toEqual({ [draft]: true });
    // Also from the same page, opened a second time.
    await Promise.all([
      first,
      beginWithQuestion(question, box),
      beginWithQuestion(question, boxOf(draft).box),
    ]);
    expect(sent.made).toHaveLength(1);
    expect(sent.prompts).toHaveLength(1);
    expect(onBegun).toHaveBeenCalledOnce();
    expect(beginningsState.underway).toEqual({});
  });

  it('keeps the text when the conversation cannot be made, says why, and tries again with the same key', async () => {
    const told = vi.spyOn(notify, 'error').mockReturnValue();
    const keys: (string | null)[] = [];
    server.use(
      http.post(api('discourse/conversations'), ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        return problem(422, 'invalid', 'One of the connectors is not available.');
      }),
    );
    const { box, onBegun } = boxOf(draft);
    changeDraft(draft, { text: question.text });
    await beginWithQuestion(question, box);
    expect(told).toHaveBeenCalledExactlyOnceWith('One of the connectors is not available.');
    expect(draftsState.drafts[draft]?.text).toBe(question.text);
    expect(onBegun).not.toHaveBeenCalled();
    const sent = accepting();
    // A question from the other box meanwhile has its own key, and does not end this attempt.
    await beginWithQuestion(question, boxOf(draft === newDraft ? homeDraft : newDraft).box);
    await beginWithQuestion(question, box);
    expect(sent.keys[0]).not.toBe(keys[0]);
    expect(sent.keys[1]).toBe(keys[0]);
    await beginWithQuestion(question, box);
    expect(sent.keys[2]).not.toBe(keys[0]);
  });

  it('puts the question into the box of the conversation when the send fails, before what was typed', async () => {
    const told = vi.spyOn(notify, 'error').mockReturnValue();
    accepting();
    server.use(http.post(api('discourse/user-text'), () => problem(422, 'invalid', 'It is too long.')));
    const { box, onBegun } = boxOf(draft);
    changeDraft(draft, { text: 'half a thought' });
    await beginWithQuestion(question, box);
    expect(told).toHaveBeenCalledExactlyOnceWith('It is too long.');
    expect(onBegun).toHaveBeenCalledOnce();
    expect(draftsState.drafts['c1']?.text).toBe(`${question.text}\nhalf a thought`);
  });

  it('takes along what was typed besides a question that was offered', async () => {
    accepting();
    changeDraft(draft, { text: 'half a thought', dataSources: [1] });
    await beginWithQuestion(question, boxOf(draft).box);
    expect(draftsState.drafts[draft]).toBeUndefined();
    expect(draftsState.drafts['c1']?.text).toBe('half a thought');
  });

  it('leaves a person there who has gone elsewhere, sends all the same, and keeps what they typed besides', async () => {
    const sent = accepting();
    const { held, release } = hold();
    server.use(
      http.post(api('discourse/conversations'), async () => {
        await held;
        return HttpResponse.json(conversationOf({ id: 'c1' }));
      }),
    );
    const { box, page, onBegun } = boxOf(draft);
    changeDraft(draft, { text: 'half a thought', dataSources: [1] });
    const asking = beginWithQuestion(question, box);
    page.isShown = false;
    release();
    await asking;
    expect(sent.prompts).toHaveLength(1);
    expect(onBegun).not.toHaveBeenCalled();
    expect(sessionState.current.phase).toBe('closed');
    expect(draftsState.drafts[draft]).toMatchObject({ text: 'half a thought', dataSources: [1] });
    expect(draftsState.drafts['c1']?.text).toBe('');
  });

  it('sends nothing after its author has signed out', async () => {
    const sent = accepting();
    const { held, release } = hold();
    server.use(
      http.post(api('discourse/conversations'), async () => {
        await held;
        return HttpResponse.json(conversationOf({ id: 'c1' }));
      }),
    );
    const asking = beginWithQuestion(question, boxOf(draft).box);
    forgetPerson('signed-out');
    release();
    await asking;
    expect(sent.prompts).toEqual([]);
    expect(conversationsState.byId).toEqual({});
    expect(beginningsState.underway).toEqual({});
  });
});
