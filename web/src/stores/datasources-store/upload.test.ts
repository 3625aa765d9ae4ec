import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/errors';
import { notify } from '@/lib/notify';
import { dataSourceOf } from '@/testing/fixtures/wire';
import { api, http, HttpResponse, problem, server } from '@/testing/server';
import { dataSources } from './sources';
import { uploadProblem, uploadWiring } from './upload';

const file = new File(['a,b\n1,2\n'], 'orders.csv', { type: 'text/csv' });
const input = { file, name: 'Orders', description: 'Of the shops', delimiter: ',', conversationOnly: false };

beforeEach(() => {
  dataSources.reset();
  vi.spyOn(notify, 'success').mockReturnValue();
});

/** A server that fails several times and then makes the connector. */
function failing(times: number) {
  const keys: (string | null)[] = [];
  server.use(
    http.post(api('memory/file/datasources'), ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      if (keys.length <= times) return problem(503, 'busy', 'Busy.');
      return HttpResponse.json(dataSourceOf({ id: 5, name: 'Orders' }), { status: 201 });
    }),
  );
  return keys;
}

describe('uploading a file', () => {
  it('sends it once, stores the connector, and says its name', async () => {
    const keys = failing(0);
    const made: number[] = [];
    const { onUpload } = uploadWiring([], ({ id }) => made.push(id));
    expect(await onUpload(input, new AbortController().signal)).toBeNull();
    expect(keys).toHaveLength(1);
    expect(made).toEqual([5]);
    expect(dataSources.state.byId[5]?.name).toBe('Orders');
    expect(notify.success).toHaveBeenCalledExactlyOnceWith('Connector Orders successfully created');
  });

  it('keeps its key through the retry and the next press, and has another one after the success', async () => {
    const keys = failing(2);
    const { onUpload } = uploadWiring([]);
    const { signal } = new AbortController();
    expect(await onUpload(input, signal)).toEqual({ fields: [], message: 'Busy.' });
    expect(await onUpload(input, signal)).toBeNull();
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/u);
    expect(new Set(keys).size).toBe(1);
    await onUpload(input, signal);
    expect(keys.at(-1)).not.toBe(keys[0]);
  });

  it('sends two presses of one moment under one key, so that the server makes one', async () => {
    const keys = failing(0);
    const { onUpload } = uploadWiring([]);
    const { signal } = new AbortController();
    await Promise.all([onUpload(input, signal), onUpload(input, signal)]);
    expect(new Set(keys).size).toBe(1);
  });
});

describe('a file of one conversation', () => {
  /** What the server receives about it. */
  async function told(conversationOnly: boolean, conversation?: string) {
    const forms: FormData[] = [];
    server.use(
      http.post(api('memory/file/datasources'), async ({ request }) => {
        forms.push(await request.formData());
        return HttpResponse.json(dataSourceOf({ id: 5 }), { status: 201 });
      }),
    );
    const wiring = uploadWiring([], undefined, conversation);
    await wiring.onUpload({ ...input, conversationOnly }, new AbortController().signal);
    const [form] = forms;
    return {
      inConversation: wiring.inConversation,
      scope: form?.get('scope'),
      of: form?.get('conversation_id'),
    };
  }

  it('says which one, when the person wants it so', async () => {
    expect(await told(true, 'c1')).toEqual({ inConversation: true, scope: 'conversation', of: 'c1' });
  });

  it("is the person's own otherwise, and outside of conversations", async () => {
    expect(await told(false, 'c1')).toEqual({ inConversation: true, scope: 'user', of: null });
    expect(await told(true)).toEqual({ inConversation: false, scope: 'user', of: null });
  });

  it('has another key than the same file for everything', async () => {
    const keys = failing(2);
    const { onUpload } = uploadWiring([], undefined, 'c1');
    const { signal } = new AbortController();
    await onUpload(input, signal);
    await onUpload({ ...input, conversationOnly: true }, signal);
    expect(new Set(keys).size).toBe(2);
  });
});

describe('uploadProblem', () => {
  it('lays a kind that is not taken to the file', () => {
    const message = 'Error: Unsupported file type. Please upload a valid file format.';
    const refused = new ApiError(415, 'unsupported-type', message);
    expect(uploadProblem(refused)).toEqual({ fields: [{ field: 'file', message }], message });
    expect(uploadProblem(new ApiError(503, 'busy', 'Busy.'))).toEqual({ fields: [], message: 'Busy.' });
  });
});

describe('the kinds of files', () => {
  it('are those that the server takes, also old ones that it explains', () => {
    const type = { id: 'xls', name: 'Excel 97-2003', mediaTypes: [], maxSize: 10 };
    const { accepted, maxSize } = uploadWiring([
      { ...type, extensions: ['.xls'], isUploadable: true },
      { ...type, id: 'ppt', extensions: ['.ppt'], isUploadable: false, maxSize: 20 },
    ]);
    expect(accepted).toEqual(['.xls']);
    expect(maxSize).toBe(20);
  });
});
