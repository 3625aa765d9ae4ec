import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { beginSelection, endSelection } from '@/stores/conversation-selection-store';
import type { TurnState } from '@/stores/conversation-session';
import { changeDraft, draftsState, resetDrafts } from '@/stores/drafts-store';
import { conversationOf } from '@/testing/fixtures/wire';
import { renderPart } from '@/testing/render';
import { api, http, HttpResponse, server } from '@/testing/server';
import { ConversationFooter } from './conversation-footer';

beforeEach(resetDrafts);

const running: TurnState = { phase: 'running', progress: null };

/** The footer while an answer is generated, with a question in its box that was asked meanwhile. */
async function asked(turn: TurnState = running) {
  changeDraft('c1', { text: 'and by region?' });
  const onSend = vi.fn(() => Promise.resolve());
  const footer = (at: TurnState) => (
    <ConversationFooter
      conversation={conversationOf()}
      turn={at}
      onSend={onSend}
      dataSources={{ known: [], own: [], gone: [], withheld: 0 }}
      onDropGone={() => undefined}
      onDataSources={() => undefined}
    />
  );
  const { rerenderPart, user } = renderHost(footer(turn));
  await user.type(screen.getByRole('textbox', { name: 'Message' }), '{Enter}');
  return { onSend, user, go: (at: TurnState) => rerenderPart(footer(at)) };
}

function renderHost(element: React.ReactElement) {
  const { user, unmount } = renderPart(element);
  const current = { unmount };
  return {
    user,
    rerenderPart: (next: React.ReactElement) => {
      current.unmount();
      current.unmount = renderPart(next).unmount;
    },
  };
}

describe('a question that is asked while an answer runs', () => {
  it('waits, and is sent once when the answer is done', async () => {
    const { onSend, go } = await asked();
    expect(screen.getByRole('status')).toHaveTextContent('Sends when this answer is done and by region?');
    expect(screen.getByRole('textbox', { name: 'Message' })).toHaveValue('');
    expect(onSend).not.toHaveBeenCalled();
    go({ phase: 'idle' });
    await expect.poll(() => onSend.mock.calls).toEqual([['and by region?', null]]);
    expect(screen.queryByText('Sends when this answer is done')).toBeNull();
  });

  it('can be taken back, before what was typed since', async () => {
    const { user, onSend, go } = await asked();
    await user.type(screen.getByRole('textbox', { name: 'Message' }), 'or by month?');
    await user.click(screen.getByRole('button', { name: 'Take back' }));
    expect(screen.getByRole('textbox', { name: 'Message' })).toHaveValue('and by region?\nor by month?');
    go({ phase: 'idle' });
    expect(onSend).not.toHaveBeenCalled();
  });

  it('goes back into the box when the answer failed', async () => {
    const { onSend, go } = await asked();
    go({ phase: 'ended', status: 'failed', reason: '' });
    expect(screen.getByRole('textbox', { name: 'Message' })).toHaveValue('and by region?');
    expect(onSend).not.toHaveBeenCalled();
  });

  it('is joined by the next one', async () => {
    const { user } = await asked();
    await user.type(screen.getByRole('textbox', { name: 'Message' }), 'as a chart{Enter}');
    expect(draftsState.drafts['c1']?.queued).toBe('and by region?\nas a chart');
  });

  it('can be sent by touch as well', async () => {
    changeDraft('c1', { text: 'and by region?' });
    const { user } = renderPart(
      <ConversationFooter
        conversation={conversationOf()}
        turn={running}
        onSend={() => Promise.resolve()}
        dataSources={{ known: [], own: [], gone: [], withheld: 0 }}
        onDropGone={() => undefined}
        onDataSources={() => undefined}
      />,
    );
    await user.click(screen.getByRole('button', { name: 'Send when this answer is done' }));
    expect(draftsState.drafts['c1']?.queued).toBe('and by region?');
  });
});

describe('ConversationFooter', () => {
  it.each([
    ['textarea', 1, false],
    ['input', 0, false],
    ['a', 1, false],
    // Escape ends the selection of conversations first.
    ['a', 0, true],
    ['textarea', 1, true],
  ])('stops at Escape, pressed in a %s: %s', async (field, stops, selecting) => {
    let asked = 0;
    if (selecting) beginSelection();
    server.use(
      http.post(api('analyst/process-control/stop-process-in-redis'), () => {
        asked++;
        return HttpResponse.json({ stopped: true, lastMessage: null });
      }),
    );
    const footer = {
      turn: running,
      onSend: vi.fn(),
      onDataSources: vi.fn(),
      dataSources: { known: [], own: [], gone: [], withheld: 0 },
      onDropGone: vi.fn(),
    };
    renderPart(<ConversationFooter conversation={conversationOf()} {...footer} />);
    const target = document.body.appendChild(document.createElement(field));
    fireEvent.keyDown(target, { key: 'Escape' });
    target.remove();
    endSelection();
    await expect.poll(() => asked).toBe(stops);
  });

  it('says to a reader who shares it', () => {
    const abilities = { ...conversationOf().abilities, send: false };
    const footer = {
      turn: { phase: 'idle' } as const,
      onSend: vi.fn(),
      onDataSources: vi.fn(),
      dataSources: { known: [], own: [], gone: [], withheld: 0 },
      onDropGone: vi.fn(),
    };
    renderPart(<ConversationFooter conversation={conversationOf({ abilities })} {...footer} />);
    expect(screen.getByText(/Ada Lindqvist shares this conversation with you/u)).toBeVisible();
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  it('is not there when the conversation is archived', () => {
    const footer = {
      turn: { phase: 'idle' } as const,
      onSend: vi.fn(),
      onDataSources: vi.fn(),
      dataSources: { known: [], own: [], gone: [], withheld: 0 },
      onDropGone: vi.fn(),
    };
    renderPart(<ConversationFooter conversation={conversationOf({ status: 'archived' })} {...footer} />);
    expect(screen.queryByRole('contentinfo')).toBeNull();
    expect(screen.queryByRole('textbox')).toBeNull();
  });
});
