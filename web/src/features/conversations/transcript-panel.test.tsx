import { screen, within } from '@testing-library/react';
import { VirtuosoMockContext } from 'react-virtuoso';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { closeConversation, openConversation, type TurnState } from '@/stores/conversation-session';
import { loadSentiments, resetFeedback } from '@/stores/feedback-store';
import { conversationOf, messageOf } from '@/testing/fixtures/wire';
import { renderPart } from '@/testing/render';
import { QuestionBox } from '@/components/ask-box/question-box';
import { api, http, HttpResponse, page, server } from '@/testing/server';
import { filters } from './message-filters';
import { TranscriptPanel } from './transcript-panel';

Element.prototype.scrollTo = () => undefined;
Element.prototype.scrollBy = () => undefined;

const messageSet = [
  messageOf({ id: 'q1', seq: 2, role: 'user', text: 'First?' }),
  messageOf({ id: 'a1', seq: 3, text: 'One.' }),
  messageOf({ id: 'q2', seq: 4, role: 'user', text: 'Second?' }),
  messageOf({ id: 'a2', seq: 5, text: 'Two.' }),
];
const conversation = conversationOf({ messageSet, head: 5 });
const sentiment = { id: 1, name: 'Like', labelSet: [{ id: 1, name: 'Helpful', isDefault: true }] };

beforeEach(async () => {
  closeConversation();
  resetFeedback();
  server.use(
    http.get(api('discourse/conversations/c1'), () => HttpResponse.json(conversation)),
    http.get(api('discourse/sentiments'), () => page([sentiment])),
  );
  await Promise.all([openConversation('c1'), loadSentiments()]);
});

function panel(turn: TurnState, of = conversation) {
  return (
    // jsdom has no layout, so the test sets the heights.
    <VirtuosoMockContext.Provider value={{ viewportHeight: 1000, itemHeight: 100 }}>
      <TranscriptPanel
        conversation={of}
        turn={turn}
        earlier={{ before: null, status: 'idle' }}
        passes={filters.all}
        highlightId={null}
        empty={null}
        onRetry={() => undefined}
        onGoTo={() => undefined}
        onAsk={() => undefined}
      />
    </VirtuosoMockContext.Provider>
  );
}

/** The answers for which feedback is asked. */
async function askedAbout(): Promise<string[]> {
  await screen.findByText('One.');
  // The list hides itself until it has a layout, and what is hidden has no name.
  const turns = [...document.querySelectorAll<HTMLElement>('[data-turn]')];
  return turns
    .filter((turn) => turn.querySelector('[aria-label="Feedback"]') !== null)
    .map((turn) => turn.dataset['turn'] ?? '');
}

describe('TranscriptPanel', () => {
  it('asks for an opinion on what is whole, and not on what still runs', async () => {
    renderPart(panel({ phase: 'running', progress: null }));
    expect(await askedAbout()).toEqual(['q1']);
  });

  it('asks for an opinion on every answer once the turn is over', async () => {
    renderPart(panel({ phase: 'idle' }));
    expect(await askedAbout()).toEqual(['q1', 'q2']);
  });

  it.each([
    ['q1', 'From this question on, 2 questions and their answers are removed from the conversation.'],
    ['q2', 'This question and its answer are removed from the conversation.'],
  ])('lets its owner delete from %s on by a rewind, and says first what goes', async (id, text) => {
    const sent: unknown[] = [];
    server.use(
      http.post(api('discourse/conversations/c1/rewind'), async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json({ text: '', messageSet: [], generation: 1, head: 6 });
      }),
    );
    const { user } = renderPart(panel({ phase: 'idle' }));
    await screen.findByText('One.');
    const turn = document.querySelector<HTMLElement>(`[data-turn="${id}"]`)!;
    await user.click(within(turn).getByLabelText('Turn actions'));
    await user.click(await screen.findByRole('menuitem', { name: 'Rewind to here' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Rewind conversation' });
    expect(dialog).toHaveTextContent(text);
    expect(sent).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Rewind' }));
    await vi.waitFor(() => expect(sent).toEqual([{ messageId: id }]));
  });

  it('goes on in the message box after a rewind, and where it was when that is not confirmed', async () => {
    server.use(
      http.post(api('discourse/conversations/c1/rewind'), () =>
        HttpResponse.json({ text: 'Two?', messageSet: [], generation: 1, head: 6 }),
      ),
    );
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (query) =>
        ({
          matches: query === '(pointer: fine)',
          addEventListener: vi.fn(),
          removeEventListener: vi.fn(),
        }) as never,
    );
    const box = (
      <QuestionBox
        label="Message"
        text=""
        placeholder=""
        onText={vi.fn()}
        onEnter={vi.fn()}
        children={null}
      />
    );
    const { user } = renderPart(
      <>
        {panel({ phase: 'idle' })}
        {box}
      </>,
    );
    await screen.findByText('One.');
    // The button of a menu is another element once the menu is loaded.
    const actions = (): HTMLElement =>
      within(document.querySelector<HTMLElement>('[data-turn="q2"]')!).getByLabelText('Turn actions');
    for (const [press, there] of [
      ['Cancel', actions],
      ['Rewind', () => screen.getByRole('textbox', { name: 'Message' })],
    ] as const) {
      await user.click(actions());
      await user.click(await screen.findByRole('menuitem', { name: 'Rewind to here' }));
      const dialog = await screen.findByRole('alertdialog', { name: 'Rewind conversation' });
      await user.click(within(dialog).getByRole('button', { name: press }));
      await vi.waitFor(() => expect(there()).toHaveFocus());
    }
  });

  it('offers others than its owner no way to delete', async () => {
    const shared = { ...conversation, abilities: { ...conversation.abilities, rewind: false } };
    const { user } = renderPart(panel({ phase: 'idle' }, shared));
    await screen.findByText('One.');
    const turn = document.querySelector<HTMLElement>('[data-turn="q1"]')!;
    await user.click(within(turn).getByLabelText('Turn actions'));
    expect(await screen.findByRole('menuitem', { name: 'Copy answer' })).toBeVisible();
    expect(screen.queryByRole('menuitem', { name: /Rewind|Delete/u })).toBeNull();
  });
});
