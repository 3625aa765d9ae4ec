import { beforeEach, describe, expect, it, vi } from 'vitest';
import { api, http, HttpResponse, problem, server } from '@/testing/server';
import { apiUrl, call, send, setBearer, setRefusedHandler } from './client';
import { path } from './path';
import { ApiError, messageOfCode, recordError, takeRecordedErrors } from './errors';

/** Answers the given responses one after the other, and keeps the requests. */
function answers(...responses: (() => Response)[]): Request[] {
  const requests: Request[] = [];
  server.use(
    http.all(api('thing'), ({ request }) => {
      requests.push(request.clone());
      const response = responses[requests.length - 1];
      if (!response) throw new Error('one request too many');
      return response();
    }),
  );
  return requests;
}

const ok = (): Response => HttpResponse.json({ fine: true });
const fault = (): Response => problem(500, 'I500', 'It broke');

async function failure(promise: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await promise.catch((reason: unknown) => reason);
  if (!(error instanceof ApiError)) throw new Error('it did not fail');
  return error;
}

/** A timer that is longer than the longest pause before a retry is a time limit. */
const longestPause = 5_000;

beforeEach(() => {
  // The pause before a retry is real time; tests do not wait for it.
  const { setTimeout } = globalThis;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, pause: number) => {
    if (pause > longestPause) return setTimeout(run, pause);
    queueMicrotask(run);
    return 0;
  }) as unknown as typeof setTimeout);
  setRefusedHandler(() => Promise.resolve(false));
  setBearer('abc');
  takeRecordedErrors();
});

describe('call', () => {
  it('SendsTheBearerAndReadsJson', async () => {
    const requests = answers(ok);
    expect(await call('GET', path`thing`)).toEqual({ fine: true });
    expect(requests[0]?.headers.get('Authorization')).toBe('Bearer abc');
  });

  it('RetriesAFailureOnce', async () => {
    const requests = answers(fault, ok);
    expect(await call('GET', path`thing`)).toEqual({ fine: true });
    expect(requests).toHaveLength(2);
    expect(takeRecordedErrors()).toEqual([]);
  });

  it('RetriesALostAnswerWithTheSameKeyAndBody', async () => {
    const requests = answers(() => HttpResponse.error(), ok);
    await call('POST', path`thing`, { body: { a: 1 }, idempotencyKey: 'k' });
    expect(requests.map((request) => request.headers.get('Idempotency-Key'))).toEqual(['k', 'k']);
    expect(await requests[1]?.json()).toEqual({ a: 1 });
  });

  it('GivesEveryChangeAKeyOfItsOwn, and readsNone', async () => {
    const requests = answers(() => HttpResponse.error(), ok, ok, ok);
    await call('PUT', path`thing`, { body: { a: 1 } });
    await call('DELETE', path`thing`);
    await call('GET', path`thing`);
    const keys = requests.map((request) => request.headers.get('Idempotency-Key'));
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/u);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).toMatch(/^[0-9a-f-]{36}$/u);
    expect(keys[2]).not.toBe(keys[0]);
    expect(keys[3]).toBeNull();
  });

  it('RecordsTheSecondFailure', async () => {
    answers(fault, fault);
    const error = await failure(call('GET', path`thing`));
    expect(error).toMatchObject({ status: 500, code: 'I500', message: 'It broke' });
    expect(takeRecordedErrors()).toEqual([
      { id: '500 /api/v1/thing', url: '/api/v1/thing', status: 500, message: 'It broke' },
    ]);
  });

  it('RecordsNothingWhenTheCallerTellsOfIt', async () => {
    answers(fault, fault);
    await failure(call('GET', path`thing`, { quiet: true }));
    expect(takeRecordedErrors()).toEqual([]);
  });

  it('CarriesTheFieldsOfAValidation', async () => {
    const invalid = (): Response =>
      problem(422, 'invalid', 'Please enter a name', [{ field: 'name', message: 'Please enter a name' }, 3]);
    answers(invalid, invalid);
    const error = await failure(call('POST', path`thing`, { body: {} }));
    expect(error.fields).toEqual([{ field: 'name', message: 'Please enter a name' }]);
  });

  it('TellsOfARefusedBearer, and records nothing', async () => {
    const told = vi.fn((_: string) => Promise.resolve(false));
    setRefusedHandler(told);
    answers(() => problem(401, 'E401', ''));
    const error = await failure(call('GET', path`thing`));
    expect(told).toHaveBeenCalledExactlyOnceWith('abc');
    expect(error.status).toBe(401);
    expect(takeRecordedErrors()).toEqual([]);
  });

  it('ComesBackWithTheNewerBearer, though it had failed before', async () => {
    setRefusedHandler(() => {
      setBearer('def');
      return Promise.resolve(true);
    });
    const requests = answers(fault, () => problem(401, 'E401', ''), ok);
    expect(await call('GET', path`thing`)).toEqual({ fine: true });
    expect(requests.map((request) => request.headers.get('Authorization'))).toEqual([
      'Bearer abc',
      'Bearer abc',
      'Bearer def',
    ]);
  });

  it('TellsOfANewerBearerThatIsRefusedToo', async () => {
    const told = vi.fn((_: string) => {
      setBearer('def');
      return Promise.resolve(true);
    });
    setRefusedHandler(told);
    const refused = (): Response => problem(401, 'E401', '');
    answers(refused, refused);
    await failure(call('GET', path`thing`));
    expect(told.mock.calls).toEqual([['abc'], ['def']]);
  });

  it('GivesUpOnAServerThatTakesTheCallAndSaysNothing', async () => {
    vi.mocked(globalThis.setTimeout).mockImplementation(((run: () => void) => {
      queueMicrotask(run);
      return 0;
    }) as unknown as typeof setTimeout);
    server.use(http.all(api('thing'), () => new Promise<never>(() => undefined)));
    expect(await failure(call('GET', path`thing`))).toMatchObject({ status: 0, code: 'unreachable' });
    expect(vi.mocked(globalThis.setTimeout).mock.calls.map(([, pause]) => pause)).toContain(40_000);
  });

  it('SaysUnexpectedForA403WithoutAReason', async () => {
    const refused = (): Response => new HttpResponse(null, { status: 403 });
    answers(refused, refused);
    expect((await failure(call('GET', path`thing`))).message).toBe('An unexpected error occurred');
  });

  it('SaysTheStatusOfAnAnswerThatIsNoProblem', async () => {
    const proxy = (): Response => new HttpResponse('<html>', { status: 502 });
    answers(proxy, proxy);
    expect((await failure(call('GET', path`thing`))).message).toBe('The server answered 502');
  });

  it('SaysThatNoAnswerCame', async () => {
    answers(
      () => HttpResponse.error(),
      () => HttpResponse.error(),
    );
    expect(await failure(call('GET', path`thing`))).toMatchObject({ status: 0, code: 'unreachable' });
  });

  it('DoesNotRetryWhatWasGivenUp', async () => {
    const abort = new AbortController();
    const requests = answers(() => {
      abort.abort();
      return ok();
    });
    await expect(call('GET', path`thing`, { signal: abort.signal })).rejects.toThrow(/abort/iu);
    expect(requests).toHaveLength(1);
  });

  it('AnswersNothingForAnEmptyBody', async () => {
    answers(() => new HttpResponse(null, { status: 204 }));
    expect(await call('DELETE', path`thing`)).toBeUndefined();
  });

  it('SendsFormDataAsItIs', async () => {
    const requests = answers(ok);
    const body = new FormData();
    body.append('name', 'x');
    await send('POST', path`thing`, { body });
    expect(requests[0]?.headers.get('Content-Type')).toMatch(/^multipart\/form-data; boundary=/u);
  });
});

describe('apiUrl', () => {
  it('LeavesOutWhatIsUndefined', () => {
    expect(apiUrl(path`a/b`, { page: 1, sort: '-updated_at', gone: undefined, on: false })).toBe(
      '/api/v1/a/b?page=1&sort=-updated_at&on=false',
    );
    expect(apiUrl(path`a/b`)).toBe('/api/v1/a/b');
  });
});

describe('errors', () => {
  it('KeepsOneEntryPerUrlAndStatus', () => {
    recordError('/x', 500, 'a');
    recordError('/x', 500, 'b');
    recordError('/x', 502, 'c');
    expect(takeRecordedErrors().map((entry) => entry.message)).toEqual(['a', 'c']);
    expect(takeRecordedErrors()).toEqual([]);
  });

  it.each([
    ['E401', 'Your session has expired'],
    ['U401', 'You are not authorized to access this resource'],
    ['I500', 'Error loading assets'],
    ['D404', 'Resource not found'],
    ['S429', 'Failed to reconnect to server'],
    ['X', 'An unknown error occurred'],
    ['constructor', 'An unknown error occurred'],
  ])('Explains %s', (code, message) => {
    expect(messageOfCode(code)).toBe(message);
  });
});
