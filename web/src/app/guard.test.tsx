import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { LoadStatus } from '@/lib/load-status';
import { resetBaseData } from '@/stores/base-data';
import { atFirst, type SignIn } from '@/lib/sign-in';
import { signInStep } from '@/stores/me-store';
import * as bindings from '@/stores/stream-bindings';
import { ada } from '@/testing/fixtures/wire';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { bearer, nobody, signIn } from '@/testing/sign-in';
import { Guard, passage, type Passage } from './guard';
import { eventually } from '@/testing/eventually';

const routes = {
  '/authorizing': 'authorizing',
  '/unauthorized': 'unauthorized',
  '*': <Guard>{null}</Guard>,
};

beforeEach(() => {
  nobody();
  resetBaseData();
  vi.spyOn(bindings, 'startStream').mockReturnValue();
});

describe('passage', () => {
  const held = { ...bearer(), since: 0, renewAt: 0, renewed: false };
  const loading = { phase: 'loading', bearer: held, asked: true, trouble: null } as const;
  const live = { phase: 'live', bearer: held } as const;
  const renewing = { phase: 'renewing', bearer: held, failures: 0, again: null } as const;

  it.each<[string, SignIn, LoadStatus, Passage]>([
    ['signed in and loaded', live, 'fetched', 'pass'],
    ['the sign-in loads', atFirst, 'initial', 'wait'],
    [
      'the session has ended',
      { phase: 'ended', code: 'E401', cleared: false, told: false },
      'fetched',
      'wait',
    ],
    ['nobody is signed in', { phase: 'signed-out', after: null }, 'initial', 'authorize'],
    ['the person is asked for', loading, 'initial', 'wait'],
    ['a bearer that ended is renewed first', { ...renewing, before: loading }, 'initial', 'wait'],
    ['the bearer of a page that is open is renewed', { ...renewing, before: live }, 'fetched', 'pass'],
    ['the app does not know the person', { ...loading, trouble: 'unknown-user' }, 'initial', 'unauthorized'],
    ['the server does not answer', { ...loading, trouble: 'failed' }, 'initial', 'no-answer'],
    ['the base data loads', live, 'fetching', 'load'],
    ['the base data failed', live, 'failed', 'no-base-data'],
  ])('When %s', (_, state, baseData, way) => {
    expect(passage(state, baseData)).toBe(way);
  });
});

describe('Guard', () => {
  it('CarriesTheReturnPathToTheSignIn', async () => {
    const { where } = renderAt('/conversations/1?message_id=2', routes);
    await screen.findByText('authorizing');
    expect(where()).toBe('/authorizing?returnTo=%2Fconversations%2F1%3Fmessage_id%3D2');
  });

  it('ShowsTheSpinnerWhileTheSignInLoads', () => {
    signInStep({ type: 'held', bearer: bearer('old', -1) });
    renderAt('/', routes);
    expect(screen.getByRole('status')).toHaveTextContent('Loading');
  });

  it('SendsAnUnknownPersonAway', async () => {
    server.use(http.get(api('user/me'), () => problem(403, 'U401', 'Unknown')));
    const known = signIn();
    renderAt('/', routes);
    await known;
    await screen.findByText('unauthorized');
  });

  it('LoadsTheBaseData, and offersAnotherTryWhenItFails', async () => {
    let broken = true;
    server.use(
      http.get(api('user/me'), () => HttpResponse.json({ ...ada, logHead: 118 })),
      http.get(api('analyst/analysts'), () => (broken ? problem(500, 'I500', 'no') : page([]))),
      http.get(api('analyst/default'), () => HttpResponse.json({ id: 1 })),
      http.get(api('memory/datasources'), () => page([])),
      http.get(api('memory/datasources/type'), () => page([])),
    );
    const known = signIn();
    const { user } = renderAt('/', routes);
    await known;
    expect(await screen.findByText('Error loading assets')).toBeVisible();
    // From the log position that the server reported before any list was requested.
    expect(bindings.startStream).toHaveBeenCalledExactlyOnceWith(ada.uuid, 118);
    broken = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await eventually(() => expect(screen.queryByText('Error loading assets')).toBeNull());
    expect(bindings.startStream).toHaveBeenCalledTimes(1);
  });
});
