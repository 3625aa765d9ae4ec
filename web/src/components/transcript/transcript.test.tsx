import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { VirtuosoMockContext } from 'react-virtuoso';
import { describe, expect, it, vi } from 'vitest';
import { fixtureNow, manyMessages, streamingMessage, userMessage } from '../../testing/fixtures/components';
import { renderView } from '../../testing/fixtures/components/render-view';
import type { TranscriptMessage } from './message';
import { Transcript } from './transcript';

Element.prototype.scrollTo = () => undefined;
Element.prototype.scrollBy = () => undefined;

// jsdom has no layout, so the test sets the heights.
async function renderList(view: ReactElement) {
  const measured = (inner: ReactElement) => (
    <VirtuosoMockContext.Provider value={{ viewportHeight: 1000, itemHeight: 100 }}>
      {inner}
    </VirtuosoMockContext.Provider>
  );
  const result = renderView(measured(view));
  // It opens at its end, which takes a few frames.
  await waitFor(() => expect(articles()).not.toHaveLength(0));
  return {
    ...result,
    rerender: (next: ReactElement) => {
      result.rerender(measured(next));
    },
  };
}

// The list hides itself until it has scrolled to its initial position, which requires a layout.
function articles(): HTMLElement[] {
  // A turn is an article too, and contains those of its messages.
  const all = screen.queryAllByRole('article', { hidden: true });
  return all.filter((article) => article.dataset['messageId'] !== undefined);
}

function shownIds(): string[] {
  return articles().map((article) => article.dataset['messageId'] ?? '');
}

describe('Transcript', () => {
  it('greets when there is nothing yet', () => {
    renderView(<Transcript conversationId="c" messages={[]} now={fixtureNow} />);
    expect(screen.getByRole('heading', { name: 'Ask a question of your data' })).toBeVisible();
    expect(screen.queryByRole('feed')).toBeNull();
  });

  it('shows the greeting that it is given', () => {
    renderView(
      <Transcript conversationId="c" messages={[]} now={fixtureNow} empty={<p>Nothing in this tab.</p>} />,
    );
    expect(screen.getByText('Nothing in this tab.')).toBeVisible();
  });

  it('has a placeholder from the first moment on, for as long as the list is hidden', () => {
    const { container } = renderView(
      <Transcript conversationId="c" messages={manyMessages(4)} now={fixtureNow} />,
    );
    expect(screen.getByRole('feed', { hidden: true })).not.toBeVisible();
    expect(container.querySelector('[data-arranging]')).not.toBeNull();
  });

  it('says that a turn is at work before anyone has spoken', async () => {
    await renderList(
      <Transcript
        conversationId="c"
        messages={[userMessage]}
        now={fixtureNow}
        isRunning
        progress="Reading the plan"
      />,
    );
    expect(await screen.findByText('Reading the plan')).toBeInTheDocument();
  });

  it('opens a conversation of 10,000 messages with a screenful in the document', async () => {
    await renderList(<Transcript conversationId="c" messages={manyMessages(10_000)} now={fixtureNow} />);
    expect(screen.getByRole('feed', { hidden: true })).toHaveAttribute('aria-label', 'Conversation');
    // The list is empty for a moment when it has measured its rows and shows others.
    await waitFor(() => {
      expect(shownIds()).toContain('m-9999');
      expect(shownIds().length).toBeGreaterThan(5);
    });
    expect(shownIds().length).toBeLessThan(60);
  });

  it('opens at the message that a link names, and lights it up', async () => {
    await renderList(
      <Transcript
        conversationId="c"
        messages={manyMessages(1000)}
        now={fixtureNow}
        highlightId="message-m-500"
      />,
    );
    const lit = () => articles().filter((article) => article.dataset['highlighted'] === 'true');
    await waitFor(() => expect(lit().map((article) => article.dataset['messageId'])).toEqual(['m-500']));
  });

  it('I10: ignores a message id that is none', async () => {
    await renderList(
      <Transcript
        conversationId="c"
        messages={manyMessages(20)}
        now={fixtureNow}
        highlightId={'message-"><img src=x>'}
      />,
    );
    expect(document.querySelector('[data-highlighted]')).toBeNull();
    expect(shownIds()).toContain('m-19');
  });

  it('asks for older messages only when there are some', async () => {
    const onReachFirst = vi.fn();
    const onRetryEarlier = vi.fn();
    const messages = manyMessages(3);
    const props = { conversationId: 'c', messages, now: fixtureNow, onReachFirst, onRetryEarlier };
    const { rerender } = await renderList(<Transcript {...props} />);
    expect(onReachFirst).not.toHaveBeenCalled();
    rerender(<Transcript {...props} conversationId="d" earlier="idle" />);
    await waitFor(() => expect(onReachFirst).toHaveBeenCalled());
    rerender(<Transcript {...props} conversationId="d" earlier="loading" />);
    expect(screen.getByText('Loading earlier messages')).toBeVisible();
    rerender(<Transcript {...props} conversationId="d" earlier="failed" />);
    await userEvent.click(screen.getByRole('button', { name: 'Try again', hidden: true }));
    expect(onRetryEarlier).toHaveBeenCalledOnce();
  });

  it('does not say that a conversation is empty while messages that the filter shows are being fetched', () => {
    renderView(<Transcript conversationId="c" messages={[]} now={fixtureNow} earlier="loading" />);
    expect(screen.getByText('Loading earlier messages')).toBeInTheDocument();
    expect(screen.queryByRole('heading')).toBeNull();
  });

  it('renders only the turn that grows', async () => {
    const messages = manyMessages(8);
    const renderFooter = vi.fn(() => null);
    const growing = (text: string): TranscriptMessage[] => [...messages, { ...streamingMessage, text }];
    const { rerender } = await renderList(
      <Transcript conversationId="c" messages={growing('a')} now={fixtureNow} renderFooter={renderFooter} />,
    );
    renderFooter.mockClear();
    for (const text of ['ab', 'abc', 'abcd']) {
      rerender(
        <Transcript
          conversationId="c"
          messages={growing(text)}
          now={fixtureNow}
          renderFooter={renderFooter}
        />,
      );
    }
    await waitFor(() => expect(screen.getByText('abcd')).toBeInTheDocument());
    expect(renderFooter).not.toHaveBeenCalled();
  });

  it('speaks when an answer starts and when it ends, and not per token', async () => {
    const at = (message: TranscriptMessage) => (
      <Transcript conversationId="c" messages={[userMessage, message]} now={fixtureNow} />
    );
    const { rerender } = await renderList(at({ ...streamingMessage, text: 'On' }));
    const status = screen.getByRole('status');
    const spoken: (string | null)[] = [];
    const observer = new MutationObserver(() => spoken.push(status.textContent));
    observer.observe(status, { childList: true, characterData: true, subtree: true });
    expect(status).toHaveTextContent('prism-1 is answering.');
    for (const text of ['Onl', 'Onli', 'Online']) rerender(at({ ...streamingMessage, text }));
    expect(observer.takeRecords()).toEqual([]);
    rerender(at({ ...streamingMessage, text: 'Online', status: 'complete', note: null }));
    expect(observer.takeRecords()).not.toEqual([]);
    expect(status).toHaveTextContent('prism-1 has answered: Online');
    observer.disconnect();
    expect(screen.getByRole('feed', { hidden: true })).not.toHaveAttribute('aria-live');
  });

  it('starts again in another conversation', async () => {
    const { rerender } = await renderList(
      <Transcript conversationId="c" messages={manyMessages(50)} now={fixtureNow} />,
    );
    rerender(<Transcript conversationId="d" messages={manyMessages(2, 100)} now={fixtureNow} />);
    await waitFor(() => expect(shownIds()).toEqual(['m-100', 'm-101']));
  });

  it('hands callbacks on to its messages', async () => {
    const user = userEvent.setup();
    const onRetry = vi.fn();
    const failed: TranscriptMessage = { ...streamingMessage, id: 'm-x', status: 'failed' };
    await renderList(
      <Transcript
        conversationId="c"
        messages={[userMessage, failed]}
        now={fixtureNow}
        canRetry
        onRetry={onRetry}
      />,
    );
    await user.click(await screen.findByRole('button', { name: 'Retry' }));
    expect(onRetry).toHaveBeenCalledExactlyOnceWith(failed);
  });
});
