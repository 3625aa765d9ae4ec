import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { registerHotkey } from '@/lib/hotkeys';
import { personOf, signInAs } from '@/testing/person';
import { renderAt } from '@/testing/render';
import { Hands } from './hands';

// Every page exists, so that what is shown depends on the person only.
vi.mock('./pages', () => ({ hasPage: () => true }));

beforeEach(() => signInAs(personOf()));

function WithHands() {
  const [finding, setFinding] = useState(false);
  return <Hands finding={finding} onFinding={setFinding} />;
}

const page = (
  <main>
    <WithHands />
    <input type="search" aria-label="Search connectors" defaultValue="sales" />
    <textarea aria-label="Message" />
  </main>
);

describe('Hands', () => {
  it('lists the keys that there are, by what they belong to', async () => {
    const { user } = renderAt('/home', { '*': page });
    await user.keyboard('?');
    const dialog = await screen.findByRole('dialog', { name: 'Keys' });
    expect(within(dialog).getByRole('heading', { name: 'Go to' })).toBeVisible();
    const terms = within(dialog).getAllByRole('term');
    expect(terms.map((term) => term.textContent)).toEqual(
      expect.arrayContaining(['Show the keys', 'New conversation', 'Home', 'Memories']),
    );
    expect(within(dialog).queryByText('Agents')).toBeNull();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('lists the keys that stop an answer and start a conversation also when neither is at hand', async () => {
    const { user } = renderAt('/datasources', { '*': page });
    await user.keyboard('?');
    const dialog = within(await screen.findByRole('dialog', { name: 'Keys' }));
    for (const [label, key] of [
      ['Stop the answer', 'Esc'],
      ['Start with the chosen connectors', 'Ctrl↵'],
    ] as const) {
      const row = dialog.getByText(label).closest('dt')?.parentElement;
      expect(row?.querySelector('dd')).toHaveTextContent(key);
    }
  });

  it('leaves those keys to the page that has them', async () => {
    const onKey = vi.fn();
    const { user } = renderAt('/home', { '*': page });
    const remove = registerHotkey({
      keys: 'Escape',
      label: 'Stop the answer',
      group: 'conversation',
      run: onKey,
    });
    await user.keyboard('{Escape}');
    remove();
    expect(onKey).toHaveBeenCalledOnce();
  });

  it('goes to an area with g and its key, and to a new conversation with c', async () => {
    const { user, where } = renderAt('/home', { '*': page });
    await user.keyboard('gb');
    expect(where()).toBe('/blueprints');
    await user.keyboard('c');
    expect(where()).toBe('/conversations/new');
  });

  it('goes to the search of the page with /', async () => {
    const { user } = renderAt('/datasources', { '*': page });
    await user.keyboard('/');
    expect(screen.getByRole('searchbox', { name: 'Search connectors' })).toHaveFocus();
    expect(screen.getByRole('searchbox', { name: 'Search connectors' })).toHaveValue('sales');
  });

  it('lets a person write', async () => {
    const { user, where } = renderAt('/home', { '*': page });
    await user.click(screen.getByRole('textbox', { name: 'Message' }));
    await user.keyboard('big cats?');
    expect(screen.getByRole('textbox', { name: 'Message' })).toHaveValue('big cats?');
    expect(where()).toBe('/home');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('does not listen to single keys once they are switched off', async () => {
    const { user, where } = renderAt('/home', { '*': page });
    await user.keyboard('?');
    await user.click(await screen.findByRole('switch', { name: 'Keys without Ctrl, Alt or Command' }));
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await user.keyboard('c');
    expect(where()).toBe('/home');
  });
});
