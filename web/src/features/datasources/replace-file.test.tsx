import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import {
  dataSources,
  loadDataSources,
  loadSourceTypes,
  resetDataSources,
} from '@/stores/datasources-store/sources';
import { dataSourceOf } from '@/testing/fixtures/wire';
import { renderPart } from '@/testing/render';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { ReplaceFile } from './replace-file';

const source = dataSourceOf({ id: 5, name: 'Orders', fileName: 'orders.csv', version: 4 });
const csv = new File(['a,b\n1,2\n'], 'fixed.csv', { type: 'text/csv' });
const type = {
  id: 'csv',
  name: 'CSV',
  mediaTypes: [],
  extensions: ['.csv'],
  isUploadable: true,
  maxSize: 1000,
};

async function show() {
  server.use(
    http.get(api('memory/datasources/type'), () => page([type])),
    http.get(api('memory/datasources'), () => page([source])),
  );
  await Promise.all([loadDataSources(), loadSourceTypes()]);
  const onClose = vi.fn();
  const { user } = renderPart(<ReplaceFile source={source} onClose={onClose} />);
  const choose = (file: File) => user.upload(screen.getByLabelText('Choose a file'), file);
  const replace = () => user.click(screen.getByRole('button', { name: 'Replace' }));
  return { onClose, user, choose, replace };
}

beforeEach(() => {
  resetDataSources();
  vi.spyOn(notify, 'success').mockReturnValue();
});

describe('replacing the file of a connector', () => {
  it('sends it with the version that was open, says so, and closes', async () => {
    const sent: string[] = [];
    server.use(
      http.put(api('memory/datasources/5/file'), async ({ request }) => {
        sent.push(await request.text());
        return HttpResponse.json({ ...source, fileName: 'fixed.csv', version: 5 });
      }),
    );
    const { onClose, choose, replace } = await show();
    await choose(csv);
    await replace();
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(sent[0]).toMatch(/name="version"\s+4\s/u);
    expect(sent[0]).toContain('1,2');
    expect(notify.success).toHaveBeenCalledExactlyOnceWith('Connector updated successfully');
    expect(dataSources.state.byId[5]?.fileName).toBe('fixed.csv');
  });

  it('says that a file is required when it is submitted without one', async () => {
    const { replace, onClose } = await show();
    await replace();
    expect(screen.getByText('File is required')).toBeVisible();
    expect(onClose).not.toHaveBeenCalled();
  });

  it('refuses a file of another kind or too large', async () => {
    const { choose, onClose } = await show();
    screen.getByLabelText('Choose a file').removeAttribute('accept');
    await choose(new File(['MZ'], 'tool.exe'));
    expect(
      screen.getByText('Error: Unsupported file type. Please upload a valid file format.'),
    ).toBeVisible();
    await choose(new File([new Uint8Array(1001)], 'huge.csv'));
    expect(screen.getByText(/huge\.csv is larger than/u)).toBeVisible();
    expect(onClose).not.toHaveBeenCalled();
  });

  it('stays open, with the reason when the server refuses it, and tries again with the same key', async () => {
    const keys: (string | null)[] = [];
    server.use(
      http.put(api('memory/datasources/5/file'), ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        return problem(422, 'invalid', 'The column a is missing.');
      }),
    );
    const { onClose, choose, replace } = await show();
    await choose(csv);
    await replace();
    expect(await screen.findByText('The column a is missing.')).toBeVisible();
    await replace();
    await waitFor(() => expect(keys.length).toBeGreaterThan(1));
    expect(new Set(keys).size).toBe(1);
    expect(onClose).not.toHaveBeenCalled();
  });
});
