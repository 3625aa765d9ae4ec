import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';

import { chatMessage } from '@/lib/chat-message';
import { messageOf } from '@/testing/fixtures/wire';

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
} from '../../testing/fixtures/components';
import { dangerousElements, renderView } from '../../testing/fixtures/components/render-view';
import { MessageCard, type MessageCardProps } from '.';

function renderCard(props: Omit<MessageCardProps, 'now'>) {
  return renderView(<MessageCard now={fixtureNow} {...props} />);
}

describe('MessageCard', () => {
  it('makes buttons of the questions that an answer offers, once it may be asked', async () => {
    const message = {
      ...assistantMessage,
      text: 'Hm.\n\nYou could ask:\n\n- Sales by month\n- Top 5 regions',
    };
    const onAsk = vi.fn<(question: string) => void>();
    const { rerender } = renderCard({ message });
    expect(await screen.findAllByRole('listitem')).toHaveLength(2);
    expect(screen.queryByRole('group')).toBeNull();
    rerender(<MessageCard now={fixtureNow} message={message} onAsk={onAsk} />);
    const group = screen.getByRole('group', { name: 'Questions to ask next' });
    await userEvent.click(within(group).getByRole('button', { name: 'Top 5 regions' }));
    expect(onAsk).toHaveBeenCalledExactlyOnceWith('Top 5 regions');
    expect(screen.getByText('You could ask:')).toBeVisible();
    expect(screen.queryByRole('listitem')).toBeNull();
    rerender(<MessageCard now={fixtureNow} message={{ ...message, status: 'streaming' }} onAsk={onAsk} />);
    expect(screen.queryByRole('button', { name: 'Top 5 regions' })).toBeNull();
  });

  it.each([
    [userMessage, 'Ana Torres', null],
    [coordinatorMessage, 'prism-1', 'Plan'],
    [assistantMessage, 'prism-1', null],
    [outputMessage, 'prism-1', 'Output'],
    [internalMessage, 'prism-1', 'Internal'],
    [summaryMessage, 'prism-1', 'Summary'],
  ])('names who speaks, and as what: $role', (message, name, label) => {
    renderCard({ message });
    expect(screen.getByRole('article', { name: `Message from ${name}` })).toHaveAttribute(
      'data-role',
      message.role,
    );
    if (label !== null) expect(screen.getByText(label)).toBeVisible();
  });

  it('says how long ago it was, and when exactly', () => {
    renderCard({ message: userMessage });
    const time = screen.getByText('12 minutes ago');
    expect(time).toHaveAttribute('datetime', userMessage.createdAt);
    expect(time.getAttribute('title')).toContain('November 20, 2025');
  });

  it.each([
    [stoppedMessage, 'Stopped before it was finished.'],
    [
      interruptedMessage,
      'Interrupted. What arrived is shown; the rest is missing. The server was restarted.',
    ],
    [failedMessage, 'Failed. This answer could not be completed. The model did not answer in time.'],
    [streamingMessage, 'Running a query…'],
  ])('says honestly how it stands: $status', (message, text) => {
    renderCard({ message });
    expect(screen.getByText(text)).toBeVisible();
  });

  it.each([
    [interruptedMessage, 1],
    [failedMessage, 1],
    [stoppedMessage, 0],
    [streamingMessage, 0],
    [assistantMessage, 0],
  ])('offers to try again where that makes sense: $status', async (message, buttons) => {
    const user = userEvent.setup();
    const onRetry = vi.fn();
    renderCard({ message, canRetry: true, onRetry });
    const found = screen.queryAllByRole('button', { name: 'Retry' });
    expect(found).toHaveLength(buttons);
    for (const button of found) await user.click(button);
    expect(onRetry.mock.calls).toEqual(buttons === 0 ? [] : [[message]]);
  });

  it('tells why an answer failed, as the server stored it, and offers to try again', () => {
    const stored = messageOf({ status: 'failed', reason: 'The model did not answer in time.' });
    renderCard({ message: chatMessage(stored), canRetry: true, onRetry: vi.fn() });
    expect(screen.getByText(/The model did not answer in time\./u)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Retry' })).toBeVisible();
  });

  it('does not offer to try again to those who may not', () => {
    renderCard({ message: failedMessage, canRetry: false, onRetry: vi.fn() });
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  });

  it('rewinds to a message of the user', async () => {
    const user = userEvent.setup();
    const onRewind = vi.fn();
    renderCard({ message: userMessage, canRewind: true, onRewind });
    await user.click(screen.getByRole('button', { name: 'Message actions' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Rewind to here' }));
    expect(onRewind).toHaveBeenCalledExactlyOnceWith(userMessage);
  });

  it('does not rewind to an answer, nor for those who may not', () => {
    renderCard({ message: assistantMessage, canRewind: true, onRewind: vi.fn() });
    renderCard({ message: userMessage, onRewind: vi.fn() });
    expect(screen.queryByRole('button', { name: 'Message actions' })).toBeNull();
  });

  it('copies its text', async () => {
    const user = userEvent.setup();
    const onNotice = vi.fn();
    renderCard({ message: summaryMessage, onNotice });
    await user.click(screen.getByRole('button', { name: 'Copy message' }));
    expect(await navigator.clipboard.readText()).toBe(summaryMessage.text);
    expect(onNotice).toHaveBeenCalledExactlyOnceWith({ tone: 'success', text: 'Copied to clipboard!' });
  });

  it('shows what a person or a query wrote as it was written', () => {
    const { container } = renderCard({
      message: { ...userMessage, text: '# not a heading\n<img src=x> **stars** \u202eback' },
    });
    expect(screen.queryByRole('heading')).toBeNull();
    expect(container.querySelector('.text')?.textContent).toBe(
      '# not a heading\n<img src=x> **stars** U+202Eback',
    );
    expect(container.querySelector('.text img')).toBeNull();
  });

  it('folds a long prompt', async () => {
    const user = userEvent.setup();
    renderCard({ message: { ...userMessage, text: `${'a\n'.repeat(40)}last line` } });
    expect(screen.queryByText(/last line/u)).toBeNull();
    await user.click(screen.getByRole('button', { name: /^Show all/u }));
    expect(screen.getByText(/last line/u)).toBeVisible();
  });

  it('H03, H04: an answer that attacks is harmless', async () => {
    const { container } = renderCard({
      message: { ...assistantMessage, text: hostileMarkdown, displayObjects: [] },
    });
    await screen.findByRole('img', { name: 'Image not shown: leak' });
    expect(dangerousElements(container.querySelector('article')!)).toEqual([]);
  });

  it('a name that is markup is text', () => {
    const { container } = renderCard({ message: { ...userMessage, author: '<img src=x onerror=alert(1)>' } });
    expect(screen.getByText('<img src=x onerror=alert(1)>')).toBeVisible();
    expect(container.querySelector('img')).toBeNull();
  });

  it('draws its display objects through the given function', () => {
    renderCard({ message: outputMessage, renderDisplayObject: (object) => <p>{`object ${object.name}`}</p> });
    for (const { name } of outputMessage.displayObjects)
      expect(screen.getByText(`object ${name}`)).toBeVisible();
  });

  it('leaves the footer out while the answer is still coming', () => {
    const renderFooter = vi.fn(() => <p>feedback</p>);
    renderCard({ message: streamingMessage, renderFooter });
    expect(screen.queryByText('feedback')).toBeNull();
    renderCard({ message: summaryMessage, renderFooter });
    expect(screen.getByText('feedback')).toBeVisible();
  });
});
