import { act, screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { hotkeysNow } from '@/lib/hotkeys';
import { notify } from '@/lib/notify';
import type { Conversation } from '@/lib/wire';
import { endSelection } from '@/stores/conversation-selection-store';
import { conversationsState, forgetConversation, resetConversations } from '@/stores/conversations-store';
import { conversationOf } from '@/testing/fixtures/wire';
import { hold } from '@/testing/hold';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { ConversationList } from './conversation-list';
import type * as selectable from './selectable';

/** The rows that were rendered while conversations were being selected, by name. */
const rendered = vi.hoisted((): string[] => []);
vi.mock('./selectable', async (importOriginal) => {
  const own = await importOriginal<typeof selectable>();
  return {
    ...own,
    obstacleOf: (conversation: Conversation, ofArchived: boolean) => {
      rendered.push(conversation.name);
      return own.obstacleOf(conversation, ofArchived);
    },
  };
});

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const conversations = days.map((name, place) =>
  conversationOf({ id: `c${place}`, name, updatedAt: `2026-11-${20 - place}T08:00:00.000Z` }),
);

function answerList(listed: readonly Conversation[] = conversations): void {
  server.use(
    http.get(api('discourse/conversations'), ({ request }) => {
      const { searchParams } = new URL(request.url);
      const status = searchParams.get('status') ?? 'active';
      const words = searchParams.get('search') ?? '';
      return page(listed.filter((one) => one.status === status && one.name.toLowerCase().includes(words)));
    }),
  );
}

/** Answers each change of a status, and says which ones there were. */
function answerMoves(refused: Readonly<Record<string, string>> = {}): string[] {
  const moved: string[] = [];
  server.use(
    http.patch(api('user/me/conversations/:id/status'), async ({ params, request }) => {
      const { status } = (await request.json()) as { status: string };
      moved.push(`${String(params['id'])} ${status}`);
      const reason = refused[String(params['id'])];
      return reason === undefined ? new HttpResponse(null, { status: 204 }) : problem(409, 'x', reason);
    }),
  );
  return moved;
}

async function show(at = '/conversations/c5', last = 'Saturday') {
  const result = renderAt(at, { '*': <ConversationList narrow={false} /> });
  await screen.findByRole('link', { name: new RegExp(last, 'u') });
  return result;
}

const box = (name: string) => screen.getByRole('checkbox', { name: `Select ${name}` });
const row = (name: string) => screen.getByRole('link', { name: new RegExp(name, 'u') });
const chosen = () =>
  days.filter((name) => screen.queryByRole('checkbox', { name: `Select ${name}`, checked: true }) !== null);

/** What is needed to select is loaded with the first press: the bar and the check boxes. */
const begun = () => screen.findByRole('checkbox', { name: 'Select all shown' });

async function shiftPress(user: UserEvent, name: string): Promise<void> {
  await user.keyboard('{Shift>}');
  await user.click(row(name));
  await user.keyboard('{/Shift}');
  await begun();
}

async function pressSelect(user: UserEvent): Promise<void> {
  await user.click(screen.getByRole('button', { name: 'Select conversations' }));
  await begun();
}

async function confirm(user: UserEvent, title: string): Promise<void> {
  const dialog = await screen.findByRole('alertdialog', { name: title });
  await user.click(within(dialog).getByRole('button', { name: 'Archive' }));
}

beforeEach(() => {
  vi.restoreAllMocks();
  resetConversations();
  endSelection();
  answerList();
});

describe('the selection of conversations', () => {
  it('begins with its button, and archives all that are selected with one message', async () => {
    const moved = answerMoves();
    const said = vi.spyOn(notify, 'success').mockReturnValue();
    const { user, where } = await show();
    expect(screen.queryByRole('checkbox')).toBeNull();
    await pressSelect(user);
    expect(screen.getByRole('heading', { name: 'None selected' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Archive' })).toBeDisabled();
    await user.click(box('Monday'));
    // While rows are being selected, a press on their name selects as well.
    await user.click(row('Wednesday'));
    expect(screen.getByRole('heading', { name: '2 selected' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Archive' }));
    await confirm(user, 'Archive 2 conversations');
    await expect.poll(() => said.mock.calls).toEqual([['2 conversations archived']]);
    expect(moved.sort()).toEqual(['c0 archived', 'c2 archived']);
    expect(screen.queryByRole('link', { name: /Monday|Wednesday/u })).toBeNull();
    expect(await screen.findByRole('heading', { name: 'Conversations' })).toBeVisible();
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(where()).toBe('/conversations/c5');
  });

  it('begins with Shift and a press, which the next one makes a range', async () => {
    const { user, where } = await show();
    await shiftPress(user, 'Tuesday');
    expect(chosen()).toEqual(['Tuesday']);
    await shiftPress(user, 'Friday');
    expect(chosen()).toEqual(['Tuesday', 'Wednesday', 'Thursday', 'Friday']);
    await user.click(box('Wednesday'));
    expect(chosen()).toEqual(['Tuesday', 'Thursday', 'Friday']);
    expect(where()).toBe('/conversations/c5');
  });

  it('needs no mouse', async () => {
    const moved = answerMoves();
    vi.spyOn(notify, 'success').mockReturnValue();
    const { user, where } = await show('/conversations/c0');
    await user.keyboard('x');
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(hotkeysNow()).toContainEqual(expect.objectContaining({ keys: ['x'], group: 'list' }));
    await user.keyboard('jjx');
    await begun();
    expect(chosen()).toEqual(['Tuesday']);
    await user.keyboard('jj{Shift>}X{/Shift}');
    expect(chosen()).toEqual(['Tuesday', 'Wednesday', 'Thursday']);
    // The check box of the row is a stop before its link.
    await user.tab({ shift: true });
    expect(box('Thursday')).toHaveFocus();
    await user.keyboard(' ');
    expect(chosen()).toEqual(['Tuesday', 'Wednesday']);
    await user.keyboard('j');
    expect(row('Friday')).toHaveFocus();
    await user.keyboard('e');
    const dialog = await screen.findByRole('alertdialog', { name: 'Archive 2 conversations' });
    await user.tab();
    expect(within(dialog).getByRole('button', { name: 'Archive' })).toHaveFocus();
    await user.keyboard('{Enter}');
    await expect.poll(() => moved.length).toBe(2);
    await expect.poll(() => screen.queryByRole('alertdialog')).toBeNull();
    await expect.poll(() => document.activeElement).toBe(row('Friday'));
    // A link still opens its conversation.
    await user.keyboard('kx{Enter}');
    expect(where()).toBe('/conversations/c3');
    expect(chosen()).toEqual(['Thursday']);
  });

  it('ends with Escape and with its button, and leaves the focus in its place', async () => {
    const { user } = await show();
    await shiftPress(user, 'Tuesday');
    await user.click(box('Wednesday'));
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(row('Wednesday')).toHaveFocus();
    await pressSelect(user);
    expect(screen.getByRole('button', { name: 'Cancel the selection' })).toHaveFocus();
    expect(chosen()).toEqual([]);
    await user.click(screen.getByRole('checkbox', { name: 'Select all shown' }));
    await user.keyboard('{Escape}');
    expect(screen.getByRole('button', { name: 'Select conversations' })).toHaveFocus();
  });

  it('says what could not be archived and why, and keeps it selected', async () => {
    answerMoves({ c1: 'An answer is being written.' });
    const said = vi.spyOn(notify, 'error').mockReturnValue();
    const { user } = await show();
    await shiftPress(user, 'Monday');
    await shiftPress(user, 'Wednesday');
    await user.keyboard('e');
    await confirm(user, 'Archive 3 conversations');
    await expect
      .poll(() => said.mock.calls)
      .toEqual([['2 archived, 1 could not be archived: An answer is being written.']]);
    await expect.poll(() => screen.queryByRole('alertdialog')).toBeNull();
    expect(chosen()).toEqual(['Tuesday']);
    await user.keyboard('e');
    await confirm(user, 'Archive 1 conversation');
    await expect
      .poll(() => said.mock.calls[1])
      .toEqual(['1 could not be archived: An answer is being written.']);
  });

  it('has at most four calls under way', async () => {
    vi.spyOn(notify, 'success').mockReturnValue();
    const { held, release } = hold();
    let open = 0;
    server.use(
      http.patch(api('user/me/conversations/:id/status'), async () => {
        open++;
        await held;
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { user } = await show();
    await pressSelect(user);
    await user.click(screen.getByRole('checkbox', { name: 'Select all shown' }));
    expect(screen.getByRole('heading', { name: '6 selected' })).toBeVisible();
    await user.keyboard('e');
    await confirm(user, 'Archive 6 conversations');
    await expect.poll(() => open).toBe(4);
    await act(() => new Promise((done) => void setTimeout(done, 50)));
    expect(open).toBe(4);
    release();
    await expect.poll(() => open).toBe(6);
    expect(await screen.findByText('No conversations')).toBeVisible();
  });

  it('restores the archived ones, without asking', async () => {
    answerList(conversations.map((one) => ({ ...one, status: 'archived' })));
    const moved = answerMoves();
    const said = vi.spyOn(notify, 'success').mockReturnValue();
    const { user } = await show('/conversations/c5?filter=archived');
    await shiftPress(user, 'Monday');
    await user.click(screen.getByRole('button', { name: 'Unarchive' }));
    await expect.poll(() => said.mock.calls).toEqual([['1 conversation unarchived']]);
    expect(moved).toEqual(['c0 active']);
  });

  it('marks all as favorites, and none any more where all are', async () => {
    const marked: boolean[] = [];
    server.use(
      http.put(api('discourse/conversations/:id/favorite'), async ({ request }) => {
        marked.push(((await request.json()) as { isFavorite: boolean }).isFavorite);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const said = vi.spyOn(notify, 'success').mockReturnValue();
    const { user } = await show();
    await shiftPress(user, 'Monday');
    await shiftPress(user, 'Tuesday');
    await user.click(screen.getByRole('button', { name: 'Add to favorites' }));
    await expect.poll(() => said.mock.calls).toEqual([['2 conversations added to favorites']]);
    expect(conversationsState.byId['c1']?.isFavorite).toBe(true);
    await shiftPress(user, 'Tuesday');
    await user.click(screen.getByRole('button', { name: 'Remove from favorites' }));
    await expect.poll(() => said.mock.calls[1]).toEqual(['1 conversation removed from favorites']);
    expect(marked).toEqual([true, true, false]);
  });

  it('leaves out what may not be archived, and says why', async () => {
    const { abilities } = conversations[0]!;
    answerList(
      conversations.map((one) =>
        one.name === 'Tuesday' ? { ...one, abilities: { ...abilities, archive: false } } : one,
      ),
    );
    const { user } = await show();
    await shiftPress(user, 'Monday');
    expect(box('Tuesday')).toBeDisabled();
    expect(box('Tuesday')).toHaveAccessibleDescription('You cannot archive this conversation.');
    await user.click(row('Tuesday'));
    expect(chosen()).toEqual(['Monday']);
    await shiftPress(user, 'Wednesday');
    expect(chosen()).toEqual(['Monday', 'Wednesday']);
    await user.click(screen.getByRole('checkbox', { name: 'Select all shown' }));
    expect(screen.getByRole('heading', { name: '5 selected' })).toBeVisible();
  });

  it('loses what leaves the list: deleted, or not in another filter', async () => {
    const { user } = await show();
    await shiftPress(user, 'Monday');
    await shiftPress(user, 'Wednesday');
    act(() => forgetConversation('c1'));
    expect(await screen.findByRole('heading', { name: '2 selected' })).toBeVisible();
    await user.click(screen.getByRole('tab', { name: 'Archived' }));
    expect(await screen.findByRole('heading', { name: 'None selected' })).toBeVisible();
    await user.click(screen.getByRole('tab', { name: 'All' }));
    await screen.findByRole('link', { name: /Monday/u });
    expect(chosen()).toEqual([]);
  });

  it('does not archive a result of a search twice, which stays where it was', async () => {
    answerMoves();
    vi.spyOn(notify, 'success').mockReturnValue();
    const { user } = await show('/conversations/c5?search=t', 'Saturday');
    await screen.findByRole('list', { name: 'Conversations found' });
    await shiftPress(user, 'Tuesday');
    await user.keyboard('e');
    await confirm(user, 'Archive 1 conversation');
    await expect.poll(() => conversationsState.byId['c1']?.status).toBe('archived');
    await screen.findByRole('button', { name: 'Select conversations' });
    await shiftPress(user, 'Saturday');
    expect(box('Tuesday')).toBeDisabled();
    expect(box('Tuesday')).toHaveAccessibleDescription('It is in another list by now.');
  });

  it('renders no row but the one that is selected', async () => {
    const { user } = await show();
    await shiftPress(user, 'Monday');
    rendered.length = 0;
    await user.click(box('Thursday'));
    expect(chosen()).toEqual(['Monday', 'Thursday']);
    expect([...new Set(rendered)]).toEqual(['Thursday']);
  });
});
