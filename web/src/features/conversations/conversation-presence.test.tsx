import { act, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { closeConversation, openConversation, sessionPresence } from '@/stores/conversation-session';
import { ada, conversationOf } from '@/testing/fixtures/wire';
import { renderPart } from '@/testing/render';
import { api, http, HttpResponse, server } from '@/testing/server';
import { nobody as signedOut, signIn } from '@/testing/sign-in';
import { ConversationPresence } from './conversation-presence';

const ben = { uuid: 'u2', fullName: 'Ben Ames' };
const others = ['Cleo Carr', 'Dan Dow', 'Eve Eden'].map((fullName) => ({ uuid: fullName, fullName }));

beforeEach(async () => {
  signedOut();
  closeConversation();
  server.use(
    http.get(api('user/me'), () => HttpResponse.json(ada)),
    http.get(api('discourse/conversations/c1'), () => HttpResponse.json(conversationOf())),
  );
  await signIn();
  await openConversation('c1');
});

describe('ConversationPresence', () => {
  it('ShowsNothingWhereOneIsAlone', () => {
    renderPart(<ConversationPresence conversationId="c1" />);
    expect(screen.queryByRole('img')).toBeNull();
    act(() => sessionPresence('c1', { people: [ada], count: 1 }));
    expect(screen.queryByRole('img')).toBeNull();
  });

  it('ShowsWhoElseIsThere, for as long as they are', async () => {
    renderPart(<ConversationPresence conversationId="c1" />);
    act(() => sessionPresence('c1', { people: [ada, ben], count: 2 }));
    const one = await screen.findByRole('img', { name: 'Ben Ames is here, too' });
    await expect.poll(() => one.textContent).toBe('BA');
    act(() => sessionPresence('c1', { people: [ada, ben, ...others], count: 5 }));
    const many = await screen.findByRole('img', {
      name: 'Ben Ames, Cleo Carr, Dan Dow, and 1 other are here, too',
    });
    await expect.poll(() => many.textContent).toBe('BACCDD+1');
    act(() => sessionPresence('c1', { people: [ada], count: 1 }));
    await expect.poll(() => screen.queryByRole('img')).toBeNull();
  });

  it('TellsTheNamesToTheKeyboard', async () => {
    const { user } = renderPart(<ConversationPresence conversationId="c1" />);
    act(() => sessionPresence('c1', { people: [ada, ben], count: 2 }));
    await screen.findByRole('img');
    await user.tab();
    expect((await screen.findByRole('tooltip')).textContent).toBe('Ben Ames is here, too');
  });

  it('ShowsNothingOfAnotherConversation', () => {
    sessionPresence('c1', { people: [ada, ben], count: 2 });
    renderPart(<ConversationPresence conversationId="c2" />);
    expect(screen.queryByRole('img')).toBeNull();
  });
});
