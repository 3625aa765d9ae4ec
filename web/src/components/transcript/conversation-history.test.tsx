import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { VirtuosoMockContext } from 'react-virtuoso';
import { describe, expect, it } from 'vitest';
import { everyMessage, fixtureNow } from '@/testing/fixtures/components';
import { renderView } from '@/testing/fixtures/components/render-view';
import { ConversationHistory } from './conversation-history';
import type { TranscriptMessage } from './message';

Element.prototype.scrollTo = () => undefined;
Element.prototype.scrollBy = () => undefined;

function renderHistory(messages: readonly TranscriptMessage[], messageId?: string) {
  // jsdom has no layout, so the test sets the heights.
  renderView(
    <VirtuosoMockContext.Provider value={{ viewportHeight: 4000, itemHeight: 100 }}>
      <ConversationHistory conversationId="c" messages={messages} now={fixtureNow} messageId={messageId} />
    </VirtuosoMockContext.Provider>,
  );
  return userEvent.setup();
}

const rolesShown = () => [
  ...new Set(
    screen.queryAllByRole('article', { hidden: true }).flatMap((article) => article.dataset['role'] ?? []),
  ),
];

describe('ConversationHistory', () => {
  it('opens with the summary, and shows answers and queries in the other tab', async () => {
    const user = renderHistory(everyMessage);
    expect(screen.getByRole('tab', { name: /^Summary/u })).toHaveAttribute('aria-selected', 'true');
    await waitFor(() => expect(rolesShown().sort()).toEqual(['summary', 'user']));
    await user.click(screen.getByRole('tab', { name: /^Analytics/u }));
    await waitFor(() => expect(rolesShown().sort()).toEqual(['assistant', 'user']));
    // The list hides itself until it has a layout, and what is hidden has no name.
    await user.click(document.querySelector('[data-turn] [aria-expanded="false"]:not([aria-haspopup])')!);
    await waitFor(() => expect(rolesShown().sort()).toEqual(['assistant', 'user', 'user_proxy']));
  });

  it('opens at a message, in the tab that shows it', async () => {
    renderHistory(everyMessage, 'message-m-assistant');
    expect(screen.getByRole('tab', { name: /^Analytics/u })).toHaveAttribute('aria-selected', 'true');
    await waitFor(() =>
      expect(document.querySelector('[data-highlighted]')).toHaveAttribute('data-message-id', 'm-assistant'),
    );
  });

  it('says so when nothing was said', () => {
    renderHistory([]);
    expect(screen.getByText('You do not have messaging in this conversation history yet.')).toBeVisible();
  });

  it('changes nothing: it neither rewinds, nor tries again, nor asks', async () => {
    renderHistory(everyMessage, 'm-assistant');
    await waitFor(() => expect(rolesShown()).toContain('assistant'));
    for (const name of ['Retry', 'Rewind to here'])
      expect(screen.queryByRole('button', { name, hidden: true })).toBeNull();
    expect(screen.queryByRole('group', { name: 'Questions to ask next', hidden: true })).toBeNull();
  });
});
