import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import { dataSourceOf } from '@/testing/fixtures/wire';
import { api, http, HttpResponse, problem, server } from '@/testing/server';
import {
  archiveSource,
  deleteSource,
  downloadSource,
  loadDataSource,
  refreshPreview,
  toggleDataSourceFavorite,
  updateDictionary,
  updateSource,
} from './change';
import { dataSources, resetDataSources } from './sources';

const one = (path = '') => api(`memory/datasources/1${path}`);
const nothing = () => new HttpResponse(null, { status: 204 });
const broken = () => problem(500, 'I500', 'Broken.');
const held = () => dataSources.state.byId[1];
const changes = { name: 'Sales', description: 'What was sold.', projectLabels: [], version: 1 };

beforeEach(() => {
  resetDataSources();
  dataSources.put(dataSourceOf());
  vi.spyOn(notify, 'error').mockReturnValue();
  vi.spyOn(notify, 'info').mockReturnValue();
  vi.spyOn(notify, 'success').mockReturnValue();
});

describe('the star of a connector', () => {
  it('is there at once, and goes when the server refuses', async () => {
    server.use(http.put(one('/favorite'), broken));
    const marking = toggleDataSourceFavorite(1, true);
    expect(held()?.isFavorite).toBe(true);
    await marking;
    expect(held()?.isFavorite).toBe(false);
    expect(notify.error).toHaveBeenCalledExactlyOnceWith('Failed to mark connector as favorite');
  });

  it('comes back when it could not be taken away', async () => {
    dataSources.put(dataSourceOf({ isFavorite: true }));
    server.use(http.put(one('/favorite'), broken));
    await toggleDataSourceFavorite(1, false);
    expect(held()?.isFavorite).toBe(true);
    expect(notify.error).toHaveBeenCalledExactlyOnceWith('Failed to mark connector as unfavorite');
  });
});

describe('the description of a connector', () => {
  it('is saved from its version, and stored as the server has it', async () => {
    const sent: unknown[] = [];
    server.use(
      http.put(one(), async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json(dataSourceOf({ name: 'Sales', version: 2 }));
      }),
    );
    expect(await updateSource(1, changes)).toMatchObject({ source: { version: 2 } });
    expect(sent).toEqual([expect.objectContaining({ name: 'Sales', version: 1 })]);
    expect(held()?.name).toBe('Sales');
    expect(notify.success).toHaveBeenCalledExactlyOnceWith('Connector updated successfully');
  });

  it('stays as it was when the server refuses, with a message for each field', async () => {
    const name = { field: 'name', message: 'Please enter a valid name' };
    server.use(http.put(one(), () => problem(422, 'invalid', 'Not valid.', [name])));
    expect(await updateSource(1, changes)).toEqual({
      problem: { fields: [name], message: 'Not valid.' },
    });
    expect(held()?.name).toBe('Orders');
    expect(notify.error).toHaveBeenCalledExactlyOnceWith('Failed to update connector: Not valid.');
  });
});

describe('the data dictionary', () => {
  it('is saved, and stored', async () => {
    server.use(
      http.patch(api('memory/dataresources/7'), () => HttpResponse.json(dataSourceOf({ version: 2 }))),
    );
    expect(await updateDictionary(7, 'day: when')).toMatchObject({ version: 2 });
    expect(held()?.version).toBe(2);
    expect(notify.success).toHaveBeenCalledExactlyOnceWith('Data dictionary saved successfully');
  });

  it('says that it could not be saved', async () => {
    server.use(http.patch(api('memory/dataresources/7'), broken));
    expect(await updateDictionary(7, 'day: when')).toBeNull();
    expect(notify.error).toHaveBeenCalledExactlyOnceWith('Failed to save data dictionary: Broken.');
  });

  it('is saved by the call of its table alone, and a failure is reported where it could be only logged', async () => {
    const asked: string[] = [];
    const refuse = ({ request }: { request: Request }) => {
      asked.push(new URL(request.url).pathname);
      return broken();
    };
    server.use(http.patch(api('memory/dataresources/7'), refuse), http.patch(one('/details'), refuse));
    await updateDictionary(7, 'day: when');
    expect(new Set(asked)).toEqual(new Set(['/api/v1/memory/dataresources/7']));
    expect(notify.error).toHaveBeenCalledOnce();
  });
});

describe('a connector that goes', () => {
  it('leaves everything when it is archived', async () => {
    server.use(http.post(one('/archive'), nothing));
    expect(await archiveSource(1)).toBe(true);
    expect(held()).toBeUndefined();
    expect(notify.success).toHaveBeenCalledExactlyOnceWith('Connector archived successfully');
  });

  it('stays when archiving fails', async () => {
    server.use(http.post(one('/archive'), broken));
    expect(await archiveSource(1)).toBe(false);
    expect(held()).toBeDefined();
    expect(notify.error).toHaveBeenCalledExactlyOnceWith('Failed to archive connector: Broken.');
  });

  it('leaves everything when it is deleted', async () => {
    server.use(http.delete(one(), nothing));
    expect(await deleteSource(1)).toBe(true);
    expect(held()).toBeUndefined();
    expect(notify.success).toHaveBeenCalledExactlyOnceWith('Connector deleted successfully');
  });

  it('stays when deleting fails', async () => {
    server.use(http.delete(one(), broken));
    expect(await deleteSource(1)).toBe(false);
    expect(held()).toBeDefined();
    expect(notify.error).toHaveBeenCalledExactlyOnceWith('Failed to delete connector: Broken.');
  });
});

describe('the preview of a connector', () => {
  it('is read from the file again', async () => {
    const asked: (string | null)[] = [];
    server.use(
      http.get(one(), ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('regenerate_preview'));
        return HttpResponse.json(dataSourceOf({ preview: 'day\n1\n' }));
      }),
    );
    await refreshPreview(1);
    expect(asked).toEqual(['true']);
    expect(held()?.preview).toBe('day\n1\n');
    expect(notify.info).toHaveBeenCalledExactlyOnceWith('Refreshing connector data');
    expect(notify.success).toHaveBeenCalledExactlyOnceWith('Connector data refreshed');
  });

  it('stays as it was when that fails', async () => {
    server.use(http.get(one(), broken));
    await refreshPreview(1);
    expect(held()).toBeDefined();
    expect(notify.error).toHaveBeenCalledExactlyOnceWith('Failed to refresh data source preview');
  });
});

describe('a connector that is asked for', () => {
  it('says which one could not be fetched', async () => {
    server.use(http.get(one(), broken));
    await loadDataSource(1);
    expect(notify.error).toHaveBeenCalledExactlyOnceWith('Failed to fetch data source 1');
  });

  it('says that its file could not be saved', async () => {
    server.use(http.get(one('/file'), broken));
    await downloadSource(dataSourceOf());
    expect(notify.error).toHaveBeenCalledExactlyOnceWith('Failed to download file: Broken.');
  });
});
