import { beforeEach, describe, expect, it, vi } from 'vitest';
import { getContent, previewBytes } from '@/api/display-objects';
import { notify } from '@/lib/notify';
import * as files from '@/lib/save-file';
import { eventually } from '@/testing/eventually';
import { hold } from '@/testing/hold';
import { api, http, HttpResponse, problem, server } from '@/testing/server';
import {
  displayObjectsState,
  downloadDisplayObject,
  exportDisplayObject,
  leaveDisplayObjects,
  loadDisplayObject,
  resetDisplayObjects,
  retryDisplayObjects,
  showDisplayObject,
} from './display-objects-store';

const object = (id: string, type = 'logs') => ({ id, name: id, type, size: 10 });
const held = () => Object.keys(displayObjectsState.contents);
const megabyte = 1024 * 1024;

/** Answers every content with a text of this length. */
function answer(length: number): void {
  server.use(
    http.get(api('discourse/displayobjects/:id/content'), () => new HttpResponse('x'.repeat(length))),
  );
}

beforeEach(() => {
  resetDisplayObjects();
});

describe('loadDisplayObject', () => {
  it('FetchesOnce, and again after a failure', async () => {
    let broken = true;
    let calls = 0;
    server.use(
      http.get(api('discourse/displayobjects/a/content'), () => {
        calls++;
        return broken ? problem(503, 'unavailable', 'no') : new HttpResponse('text');
      }),
    );
    await loadDisplayObject(object('a'));
    expect(displayObjectsState.contents['a']).toEqual({ status: 'failed' });
    broken = false;
    await loadDisplayObject(object('a'));
    await loadDisplayObject(object('a'));
    expect(displayObjectsState.contents['a']).toMatchObject({ status: 'ready', text: 'text' });
    // Each failure is tried once more by the client itself.
    expect(calls).toBe(3);
  });

  it('KeepsNothingThatComesAfterASignOut', async () => {
    const { held: waiting, release } = hold();
    const answered = vi.fn();
    server.use(
      http.get(api('discourse/displayobjects/a/content'), async () => {
        await waiting;
        answered();
        return new HttpResponse('secret');
      }),
    );
    const loading = loadDisplayObject(object('a'));
    resetDisplayObjects();
    release();
    await loading;
    expect(answered).toHaveBeenCalled();
    expect(held()).toEqual([]);
  });
});

describe('a file that is saved', () => {
  it.each([
    ['Sales', 'csv', 'Sales.csv'],
    ['Sales.CSV', 'csv', 'Sales.CSV'],
    ['Deck', 'pptx', 'Deck.pptx'],
    ['Book', 'xlsx', 'Book.xlsx'],
  ])('%s of type %s is called %s', async (name, type, saved) => {
    const success = vi.spyOn(notify, 'success').mockReturnValue();
    const names: string[] = [];
    vi.spyOn(files, 'saveBlob').mockImplementation((_, to) => void names.push(to));
    answer(3);
    await downloadDisplayObject({ ...object('a', type), name });
    expect(names).toEqual([saved]);
    expect(success).toHaveBeenCalledExactlyOnceWith('File downloaded');
  });

  it('comes by a link when it cannot be fetched', async () => {
    const saved = vi.spyOn(files, 'saveAs').mockReturnValue();
    server.use(
      http.get(api('discourse/displayobjects/a/content'), () => problem(500, 'I500', 'no')),
      http.get(api('discourse/displayobjects/a/presigned-url'), () =>
        HttpResponse.json({ url: '/files/a', expiresAt: '' }),
      ),
    );
    await downloadDisplayObject({ ...object('a', 'csv'), name: 'Sales' });
    expect(saved).toHaveBeenCalledExactlyOnceWith('/files/a', 'Sales.csv');
  });

  it('reports a failure if neither way works', async () => {
    const said = vi.spyOn(notify, 'error').mockReturnValue();
    server.use(
      http.get(api('discourse/displayobjects/a/content'), () => problem(500, 'I500', 'no')),
      http.get(api('discourse/displayobjects/a/presigned-url'), () => problem(500, 'I500', 'no')),
    );
    await expect(downloadDisplayObject(object('a', 'csv'))).rejects.toThrow();
    expect(said).toHaveBeenCalledExactlyOnceWith('Failed to download file');
  });

  it('in another format has its extension', async () => {
    const names: string[] = [];
    vi.spyOn(files, 'saveBlob').mockImplementation((_, to) => void names.push(to));
    vi.spyOn(notify, 'success').mockReturnValue();
    answer(3);
    await exportDisplayObject({ ...object('a', 'csv'), name: 'Sales.csv' }, 'xlsx');
    expect(names).toEqual(['Sales.xlsx']);
  });
});

it('only logs a type that nothing can be shown of, and fetches nothing', async () => {
  const logged = vi.spyOn(console, 'warn').mockReturnValue();
  // Any call fails the test: the server answers none.
  await loadDisplayObject(object('deck', 'pptx'));
  expect(logged).toHaveBeenCalledExactlyOnceWith('No preview for display objects of type pptx');
  expect(displayObjectsState.contents['deck']).toBeUndefined();
});

describe('a table of which only a preview is wanted', () => {
  it('asks for the first 201 bytes', async () => {
    const ranges: (string | null)[] = [];
    server.use(
      http.get(api('discourse/displayobjects/a/content'), ({ request }) => {
        ranges.push(request.headers.get('Range'));
        return new HttpResponse('x');
      }),
    );
    await getContent('a', previewBytes);
    expect(ranges).toEqual(['bytes=0-200']);
  });
});

describe('retryDisplayObjects', () => {
  it('ForgetsWhatFailed, so that what is on screen is fetched again', async () => {
    server.use(http.get(api('discourse/displayobjects/a/content'), () => problem(503, 'unavailable', 'no')));
    await loadDisplayObject(object('a'));
    answer(3);
    await loadDisplayObject(object('b'));
    retryDisplayObjects();
    expect(held()).toEqual(['b']);
  });
});

describe('the memory of contents', () => {
  it('ForgetsWhatWasOnScreenLongestAgo, and never of what is', async () => {
    // 20 MB in memory each.
    answer(10 * megabyte);
    const hide = showDisplayObject('a');
    for (const id of ['a', 'b', 'c']) await loadDisplayObject(object(id));
    expect(held()).toEqual(['a', 'c']);
    hide();
    expect(held()).toEqual(['a', 'c']);
    await loadDisplayObject(object('d'));
    // Of the two that are not shown, `a` was shown last.
    expect(held()).toEqual(['a', 'd']);
  });

  it('FreesTheImagesThatItLetsGoOf', async () => {
    const free = vi.fn();
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:a', revokeObjectURL: free }));
    answer(megabyte);
    await loadDisplayObject(object('a', 'png'));
    await eventually(() => expect(displayObjectsState.contents['a']).toMatchObject({ imageUrl: 'blob:a' }));
    leaveDisplayObjects();
    expect(free).toHaveBeenCalledExactlyOnceWith('blob:a');
    expect(held()).toEqual([]);
  });

  it('KeepsWhatIsSmallWhenAConversationIsLeft', async () => {
    answer(1_000);
    await loadDisplayObject(object('small'));
    answer(megabyte);
    await loadDisplayObject(object('large'));
    leaveDisplayObjects();
    expect(held()).toEqual(['small']);
  });
});
