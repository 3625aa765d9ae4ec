import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { chatMessage } from '@/lib/chat-message';
import {
  assistantMessage,
  coordinatorMessage,
  failedMessage,
  fixtureNow,
  hostileMarkdown,
  internalMessage,
  interruptedMessage,
  outputMessage,
  stoppedMessage,
  streamingMessage,
  summaryMessage,
  userMessage,
} from '@/testing/fixtures/components';
import { dangerousElements, renderView } from '@/testing/fixtures/components/render-view';
import { messageOf } from '@/testing/fixtures/wire';
import type { TranscriptMessage } from './message';
import type { TurnActions } from './turn-actions';
import { groupTurns } from './turns';
import { TurnView } from './turn-view';

interface Options extends TurnActions {
  passes?: (message: TranscriptMessage) => boolean;
  isRunning?: boolean;
  progress?: string | null;
  opened?: boolean;
  readerId?: string | null;
  highlightedId?: string | null;
  onAsk?: (question: string) => void;
}

async function textOf(part: Promise<Blob> | undefined): Promise<string> {
  const blob = (await part) ?? new Blob();
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.readAsText(blob);
  });
}

function view(messages: readonly TranscriptMessage[], options: Options = {}, onOpened = vi.fn()) {
  const [turn] = groupTurns(messages).turns;
  if (turn === undefined) throw new Error('no turn');
  const {
    isRunning = false,
    progress = null,
    readerId = null,
    highlightedId = null,
    opened,
    ...rest
  } = options;
  return (
    <TurnView
      turn={turn}
      passes={() => true}
      now={fixtureNow}
      onOpened={onOpened}
      {...{ isRunning, progress, readerId, highlightedId, opened }}
      {...rest}
    />
  );
}

function renderTurn(messages: readonly TranscriptMessage[], options: Options = {}) {
  const onOpened = vi.fn<(key: string, opened: boolean) => void>();
  return { ...renderView(view(messages, options, onOpened)), onOpened, user: userEvent.setup() };
}

const whole = [userMessage, coordinatorMessage, internalMessage, outputMessage, assistantMessage];
const fold = () => screen.getByRole('button', { name: 'How this was worked out' });

describe('TurnView', () => {
  it('is named by its question, for those who go from turn to turn', () => {
    renderView(view([userMessage, assistantMessage]));
    const name = `“${userMessage.text}” and its answer`;
    expect(screen.getByRole('article', { name })).toHaveAttribute('data-turn');
  });

  it('is named by who answered when the question is not loaded', () => {
    renderView(view([assistantMessage]));
    const [turn] = screen.getAllByRole('article', { name: 'Answer from prism-1' });
    expect(turn).toHaveAttribute('data-turn');
  });

  it('has one header, with the agent once, and folds the workings', () => {
    renderTurn(whole);
    expect(screen.getAllByText('prism-1')).toHaveLength(1);
    expect(fold()).toHaveAttribute('aria-expanded', 'false');
    expect(screen.getAllByRole('article').flatMap((article) => article.dataset['role'] ?? [])).toEqual([
      'user',
      'assistant',
    ]);
  });

  it('says how the question was read, and what it took', () => {
    const facts = { queries: 2, seconds: 0.34, credits: 0.9 };
    renderTurn([...whole.slice(0, 4), { ...assistantMessage, facts }]);
    const line = fold().parentElement;
    expect(line).toHaveTextContent('I read orders.csv');
    expect(line).toHaveTextContent('2 queries · 0.3 sec · 0,9 credits');
  });

  it('opens the workings, in their order, and says so to who remembers it', async () => {
    const { user, onOpened, rerender } = renderTurn(whole);
    await user.click(fold());
    expect(onOpened).toHaveBeenCalledExactlyOnceWith('m-user', true);
    rerender(view(whole, { opened: true }));
    const workings = screen.getByRole('group', { name: 'How this was worked out' });
    expect(
      within(workings)
        .getAllByRole('article')
        .flatMap((article) => article.dataset['role'] ?? []),
    ).toEqual(['coordinator', 'internal', 'user_proxy']);
    expect(fold()).toHaveAttribute('aria-expanded', 'true');
  });

  it('shows the work while there is no answer, and folds it at the first sentence', () => {
    const work = [userMessage, coordinatorMessage, outputMessage];
    const options = { isRunning: true, progress: 'Running a query: Sales' };
    const { rerender } = renderTurn(work, options);
    expect(screen.getByRole('group', { name: 'How this was worked out' })).toBeVisible();
    expect(screen.getByText('Running a query: Sales')).toBeVisible();
    rerender(view([...work, { ...streamingMessage, text: 'Online passed' }], options));
    expect(screen.getByRole('group', { name: 'How this was worked out' })).toBeVisible();
    rerender(view([...work, { ...streamingMessage, text: 'Online passed stores. It' }], options));
    expect(screen.queryByRole('group', { name: 'How this was worked out' })).toBeNull();
  });

  it('leaves open what the reader has opened', () => {
    renderTurn([...whole.slice(0, 4), { ...streamingMessage, text: 'Online passed stores. It' }], {
      isRunning: true,
      opened: true,
    });
    expect(screen.getByRole('group', { name: 'How this was worked out' })).toBeVisible();
  });

  it('opens the workings for a link that leads into them', () => {
    const { container } = renderTurn(whole, { highlightedId: outputMessage.id });
    expect(container.querySelector('[data-highlighted]')).toHaveAttribute(
      'data-message-id',
      outputMessage.id,
    );
  });

  it('works before anything is there, and says nothing of work once it is done', () => {
    const { rerender } = renderTurn([userMessage], { isRunning: true });
    expect(screen.getByText('Working…')).toBeVisible();
    rerender(view([userMessage, assistantMessage]));
    expect(screen.queryByText('Working…')).toBeNull();
    expect(screen.queryByRole('button', { name: 'How this was worked out' })).toBeNull();
  });

  it('shows the answer, its chart, the rest and the remarks in this order', () => {
    const text = 'North leads.\n\nSouth follows.\n\nEast is empty.';
    const answer = { ...assistantMessage, text, caveatsAt: text.indexOf('East') };
    const { container } = renderTurn([userMessage, answer], {
      renderDisplayObject: ({ name }) => <p>{name}</p>,
    });
    expect(container.querySelector('[data-role="assistant"]')?.textContent).toBe(
      'North leads.Revenue by monthrevenue-2025.xlsxSouth follows.East is empty.',
    );
    expect(screen.getByRole('note', { name: 'What these numbers leave out' })).toHaveTextContent(
      'East is empty.',
    );
  });

  it('takes the table of the way to it for an answer without a chart', () => {
    const answer = { ...assistantMessage, text: 'North leads.', displayObjects: [], table: 'o-csv' };
    const { container } = renderTurn([userMessage, outputMessage, answer], {
      renderDisplayObject: ({ name }) => <p>{name}</p>,
    });
    expect(container.querySelector('[data-role="assistant"]')?.textContent).toBe(
      'North leads.revenue-by-month.csv',
    );
  });

  it('shows the summary when nothing else passes, and says so when there is none', async () => {
    const passes = ({ role }: TranscriptMessage) => role === 'user' || role === 'summary';
    const { rerender } = renderTurn([...whole, summaryMessage], { passes });
    expect(await screen.findByText(/14\.2 %/u)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'How this was worked out' })).toBeNull();
    rerender(view(whole, { passes }));
    expect(screen.getByText('This answer has no summary.')).toBeVisible();
  });

  it('keeps in the summary what the answer says its numbers leave out, and what it emphasises', async () => {
    const passes = ({ role }: TranscriptMessage) => role === 'user' || role === 'summary';
    const text = '**Kids** has the lowest rating, 3.2.\n\nRows without a rating do not count.';
    const answer = { ...assistantMessage, text, caveatsAt: text.indexOf('Rows') };
    const summary = { ...summaryMessage, text: 'Kids has the lowest rating, 3.2.' };
    renderTurn([userMessage, answer, summary], { passes });
    expect(screen.getByRole('note', { name: 'What these numbers leave out' })).toHaveTextContent(
      'Rows without a rating do not count.',
    );
    expect((await screen.findByText('Kids')).tagName).toBe('STRONG');
    expect(screen.getByText(/has the lowest rating, 3\.2\./u)).toBeVisible();
  });

  it('names who asked to others only', () => {
    const asked = { ...userMessage, authorId: 'ana' };
    const { rerender } = renderTurn([asked], { readerId: 'ana' });
    expect(screen.queryByText('Ana Torres')).toBeNull();
    expect(screen.getByRole('article', { name: 'Your question' })).toBeVisible();
    rerender(view([asked], { readerId: 'ben' }));
    expect(screen.getByText('Ana Torres')).toBeVisible();
    expect(screen.getByRole('article', { name: 'Question from Ana Torres' })).toBeVisible();
  });

  it('says how long ago it was asked, and when exactly', () => {
    renderTurn([userMessage]);
    const time = screen.getByText('12 minutes ago');
    expect(time).toHaveAttribute('datetime', userMessage.createdAt);
    expect(time.getAttribute('title')).toContain('November 20, 2025');
  });

  it('names each agent of a blueprint once', () => {
    const step = (id: string, planStep: number, analyst: string) => ({
      ...assistantMessage,
      id,
      planStep,
      analyst,
    });
    renderTurn([userMessage, step('a', 1, 'north'), step('b', 2, 'south'), step('c', 3, 'north')]);
    expect(screen.getByText('north, south')).toBeVisible();
  });

  it.each([
    [stoppedMessage, 'Stopped before it was finished.'],
    [
      interruptedMessage,
      'Interrupted. What arrived is shown; the rest is missing. The server was restarted.',
    ],
    [failedMessage, 'Failed. This answer could not be completed. The model did not answer in time.'],
  ])('says honestly how it ended: $status', (message, text) => {
    renderTurn([userMessage, message]);
    expect(screen.getByText(text)).toBeVisible();
  });

  it.each([
    [interruptedMessage, 1],
    [failedMessage, 1],
    [stoppedMessage, 0],
    [streamingMessage, 0],
    [assistantMessage, 0],
  ])('offers to try again when that makes sense: $status', async (message, buttons) => {
    const onRetry = vi.fn();
    const { user } = renderTurn([userMessage, message], { canRetry: true, onRetry });
    const found = screen.queryAllByRole('button', { name: 'Retry' });
    expect(found).toHaveLength(buttons);
    for (const button of found) await user.click(button);
    expect(onRetry.mock.calls).toEqual(buttons === 0 ? [] : [[message]]);
  });

  it('tells why an answer failed, as the server stored it', () => {
    const stored = messageOf({ status: 'failed', reason: 'The model did not answer in time.' });
    renderTurn([chatMessage(stored)], { canRetry: true, onRetry: vi.fn() });
    expect(screen.getByText(/The model did not answer in time\./u)).toBeVisible();
  });

  it('does not offer to try again to those who may not', () => {
    renderTurn([userMessage, failedMessage], { canRetry: false, onRetry: vi.fn() });
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  });

  it('rewinds to its question', async () => {
    const onRewind = vi.fn();
    const { user } = renderTurn(whole, { canRewind: true, onRewind });
    await user.click(screen.getByRole('button', { name: 'Turn actions' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Rewind to here' }));
    expect(onRewind).toHaveBeenCalledExactlyOnceWith(userMessage);
  });

  it('does not rewind for those who may not', async () => {
    const { user } = renderTurn(whole, { onRewind: vi.fn() });
    await user.click(screen.getByRole('button', { name: 'Turn actions' }));
    expect(await screen.findByRole('menuitem', { name: 'Copy answer' })).toBeVisible();
    expect(screen.queryByRole('menuitem', { name: 'Rewind to here' })).toBeNull();
  });

  it('copies the answer, and shares a link to it', async () => {
    const onNotice = vi.fn();
    const onShare = vi.fn();
    const { user } = renderTurn(whole, { onNotice, onShare });
    await user.click(screen.getByRole('button', { name: 'Turn actions' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Copy answer' }));
    // The very first copy waits for its module to load.
    await vi.waitFor(
      () =>
        expect(onNotice).toHaveBeenCalledExactlyOnceWith({ tone: 'success', text: 'Copied to clipboard!' }),
      { timeout: 60_000 },
    );
    expect(await navigator.clipboard.readText()).toMatch(/^Revenue grew 14\.2 % over the year/u);
    await user.click(screen.getByRole('button', { name: 'Turn actions' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Share a link' }));
    expect(onShare).toHaveBeenCalledExactlyOnceWith(assistantMessage);
  });

  it('copies the answer as a reader sees it, and as HTML for documents', async () => {
    const { user } = renderTurn([
      userMessage,
      { ...assistantMessage, text: '**Nord** leads.\n\n| Region | Sales |\n|---|--:|\n| *Nord* | 12 |' },
    ]);
    // Browsers have this and jsdom does not: a clipboard item with a promise for each type.
    onTestFinished(() => void vi.unstubAllGlobals());
    vi.stubGlobal(
      'ClipboardItem',
      class {
        constructor(readonly parts: Record<string, Promise<Blob>>) {}
      },
    );
    const write = vi.spyOn(navigator.clipboard, 'write').mockResolvedValue();
    const pick = async (): Promise<void> => {
      await user.click(screen.getByRole('button', { name: 'Turn actions' }));
      await user.click(await screen.findByRole('menuitem', { name: 'Copy answer' }));
    };
    await pick();
    await vi.waitFor(() => expect(write).toHaveBeenCalledOnce(), { timeout: 60_000 });
    const { parts } = write.mock.calls[0]?.[0][0] as unknown as { parts: Record<string, Promise<Blob>> };
    expect(await textOf(parts['text/plain'])).toBe('Nord leads.\n\nRegion\tSales\nNord\t12');
    expect(await textOf(parts['text/html'])).toContain('<strong>Nord</strong>');
    // A browser that refuses both types gets plain text.
    write.mockRejectedValue(new DOMException('no', 'NotAllowedError'));
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await pick();
    await vi.waitFor(() =>
      expect(writeText).toHaveBeenCalledExactlyOnceWith('Nord leads.\n\nRegion\tSales\nNord\t12'),
    );
  });

  it('asks the questions that follow, of the last turn only', async () => {
    const onAsk = vi.fn<(question: string) => void>();
    const answered = [userMessage, { ...assistantMessage, followUps: ['And by region?', 'And in 2025?'] }];
    const { user, rerender } = renderTurn(answered);
    expect(screen.queryByRole('group', { name: 'Questions to ask next' })).toBeNull();
    rerender(view(answered, { onAsk }));
    const group = screen.getByRole('group', { name: 'Questions to ask next' });
    await user.click(within(group).getByRole('button', { name: 'And in 2025?' }));
    expect(onAsk).toHaveBeenCalledExactlyOnceWith('And in 2025?');
  });

  it('makes buttons of the questions that an answer offers, once it may be asked', async () => {
    const message = {
      ...assistantMessage,
      text: 'Hm.\n\nYou could ask:\n\n- Sales by month\n- Top 5 regions',
    };
    const onAsk = vi.fn<(question: string) => void>();
    const { user, rerender } = renderTurn([userMessage, message]);
    expect(await screen.findAllByRole('listitem')).toHaveLength(2);
    rerender(view([userMessage, message], { onAsk }));
    await user.click(screen.getByRole('button', { name: 'Top 5 regions' }));
    expect(onAsk).toHaveBeenCalledExactlyOnceWith('Top 5 regions');
    expect(screen.getByText('You could ask:')).toBeVisible();
    expect(screen.queryByRole('listitem')).toBeNull();
  });

  it('makes buttons of the answers to a question of the analyst', async () => {
    const message = {
      ...assistantMessage,
      text: 'Gross or net?\n\nYou could answer:\n\n- What are gross sales?\n- What are net sales?',
    };
    const onAsk = vi.fn<(question: string) => void>();
    const { user, rerender } = renderTurn([userMessage, message]);
    // Who may not ask, such as a reader of a shared conversation, sees the list.
    expect(await screen.findAllByRole('listitem')).toHaveLength(2);
    rerender(view([userMessage, message], { onAsk }));
    const group = screen.getByRole('group', { name: 'Answers to choose from' });
    within(group).getByRole('button', { name: 'What are gross sales?' }).focus();
    await user.tab();
    await user.keyboard('{Enter}');
    expect(onAsk).toHaveBeenCalledExactlyOnceWith('What are net sales?');
  });

  it('hands a number that is a cell over to be drawn, with the way to its query', async () => {
    const text = 'North has **€12**.';
    const figure = { start: 12, end: 17, object: 'o-csv', row: 0, column: 1 };
    const onOpened = vi.fn();
    const renderFigure = vi.fn(({ text: number, onShowQuery }: { text: string; onShowQuery: () => void }) => (
      <button onClick={onShowQuery}>{number}</button>
    ));
    const answer = { ...assistantMessage, text, figures: [figure] };
    renderView(view([userMessage, outputMessage, answer], { renderFigure }, onOpened));
    await userEvent.click(await screen.findByRole('button', { name: '€12' }));
    expect(renderFigure.mock.lastCall?.[0]).toMatchObject({
      figure,
      text: '€12',
      message: answer,
      object: outputMessage.displayObjects[0],
    });
    expect(onOpened).toHaveBeenCalledExactlyOnceWith('m-user', true);
  });

  it("goes to the query of a summary's number, which the summary view leaves out", async () => {
    const text = 'North has €12.';
    const figure = { start: 10, end: 15, object: 'o-csv', row: 0, column: 1 };
    const onGoTo = vi.fn();
    const onOpened = vi.fn();
    const answer = { ...assistantMessage, text, figures: [figure] };
    const summary = { ...summaryMessage, text };
    const renderFigure = ({ text: number, onShowQuery }: { text: string; onShowQuery: () => void }) => (
      <button onClick={onShowQuery}>{number}</button>
    );
    const passes = ({ role }: TranscriptMessage) => role === 'user' || role === 'summary';
    renderView(
      view([userMessage, outputMessage, answer, summary], { renderFigure, passes, onGoTo }, onOpened),
    );
    await userEvent.click(await screen.findByRole('button', { name: '€12' }));
    expect(onGoTo).toHaveBeenCalledExactlyOnceWith(outputMessage);
    expect(onOpened).not.toHaveBeenCalled();
  });

  it('leaves numbers alone when nobody draws them', async () => {
    const figures = [{ start: 10, end: 12, object: 'o-csv', row: 0, column: 1 }];
    const { container } = renderTurn([{ ...assistantMessage, text: 'North has 12.', figures }]);
    expect(await screen.findByText('North has 12.')).toBeVisible();
    expect(container.querySelector('a')).toBeNull();
  });

  it('shows what a person wrote as it was written', () => {
    const { container } = renderTurn([
      { ...userMessage, text: '# not a heading\n<img src=x> **stars** \u202eback' },
    ]);
    expect(screen.queryByRole('heading')).toBeNull();
    expect(container.querySelector('.text')?.textContent).toBe(
      '# not a heading\n<img src=x> **stars** U+202Eback',
    );
    expect(container.querySelector('.text img')).toBeNull();
  });

  it('folds a long prompt', async () => {
    const { user } = renderTurn([{ ...userMessage, text: `${'a\n'.repeat(40)}last line` }]);
    expect(screen.queryByText(/last line/u)).toBeNull();
    await user.click(screen.getByRole('button', { name: /^Show all/u }));
    expect(screen.getByText(/last line/u)).toBeVisible();
  });

  it('H03, H04: an answer that attacks is harmless', async () => {
    const { container } = renderTurn([{ ...assistantMessage, text: hostileMarkdown, displayObjects: [] }]);
    await screen.findByRole('img', { name: 'Image not shown: leak' });
    expect(dangerousElements(container.querySelector('article')!)).toEqual([]);
  });

  it('shows a name that is markup as text', () => {
    const { container } = renderTurn([
      { ...userMessage, author: '<img src=x onerror=alert(1)>', authorId: 'x' },
    ]);
    expect(screen.getByText('<img src=x onerror=alert(1)>')).toBeVisible();
    expect(container.querySelector('img')).toBeNull();
  });

  it('asks for an opinion once there is the whole of what it is about', () => {
    const renderFooter = () => <p>feedback</p>;
    const { rerender } = renderTurn([userMessage, assistantMessage], { renderFooter, isRunning: true });
    expect(screen.queryByText('feedback')).toBeNull();
    rerender(view([userMessage, assistantMessage], { renderFooter }));
    expect(screen.getByText('feedback')).toBeVisible();
  });
});
