import { proxy, useSnapshot } from 'valtio';
import {
  archiveDataSource,
  createDataSource,
  deleteDataSource,
  getDataSource,
  getDataSourceFile,
  getFileInfo,
  listDataSources,
  listDataSourceTypes,
  setDataSourceFavorite,
  type NewDataSource,
} from '@/api/datasources';
import { ApiError } from '@/api/errors';

import { uploadTypeOf } from '@/lib/connector-form';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { LoadStatus } from '@/lib/load-status';
import { notify } from '@/lib/notify';
import { saveBlob } from '@/lib/save-file';
import { uuidv7 } from '@/lib/uuid';
import type { DataSource, DataSourceType, FileInfo } from '@/lib/wire';

/** The connectors that this person may use. */
interface DataSourcesState {
  status: LoadStatus;
  sources: DataSource[];
  types: DataSourceType[];
  /** Details by id, with their tables; the list carries none. */
  details: Record<number, DataSourceDetail>;
}

/** One connector's detail page. */
export type DataSourceDetail =
  | { phase: 'loading' }
  | { phase: 'ready'; source: DataSource; refreshing: boolean }
  | { phase: 'not-found' }
  | { phase: 'failed' };

const initial = (): DataSourcesState => ({ status: 'initial', sources: [], types: [], details: {} });

const state = proxy<DataSourcesState>(initial());

export const dataSourcesState: DeepReadonly<DataSourcesState> = state;

/** Loads the list and the kinds of connectors. */
export async function loadDataSources(): Promise<void> {
  state.status = state.status === 'fetched' ? 'updating' : 'fetching';
  try {
    const [sources, types] = await Promise.all([listDataSources(), listDataSourceTypes()]);
    state.sources = sources.results;
    state.types = types.results;
    state.status = 'fetched';
  } catch (error) {
    state.status = 'failed';
    throw error;
  }
}

/** Counts what was changed here, so that a list which was asked for before says nothing of it. */
const changes = { count: 0 };

/** Fetches the list anew: which connectors were used lately is told by lists only. */
export async function refreshDataSources(): Promise<void> {
  if (state.status !== 'fetched') return;
  const before = changes.count;
  state.status = 'updating';
  try {
    const { results } = await listDataSources();
    if (before === changes.count) state.sources = results;
  } catch {
    notify.error('Failed to fetch connectors');
  }
  state.status = 'fetched';
}

/** Everything that is held of a connector: its entry in the list, and its details. */
function copiesOf(id: number): DataSource[] {
  const detail = state.details[id];
  const inList = state.sources.filter((source) => source.id === id);
  return detail?.phase === 'ready' ? [...inList, detail.source] : inList;
}

/** Flips the favorite flag at once, and back if the server refuses. */
export async function toggleDataSourceFavorite(id: number, isFavorite: boolean): Promise<void> {
  const flip = (to: boolean): void => {
    changes.count++;
    for (const source of copiesOf(id)) source.isFavorite = to;
  };
  flip(isFavorite);
  try {
    await setDataSourceFavorite(id, isFavorite);
  } catch {
    flip(!isFavorite);
    notify.error(`Failed to mark connector as ${isFavorite ? 'favorite' : 'unfavorite'}`);
  }
}

/** Takes a connector out of everything that is held. */
function drop(id: number): void {
  changes.count++;
  state.sources = state.sources.filter((source) => source.id !== id);
  state.details = Object.fromEntries(Object.entries(state.details).filter(([held]) => Number(held) !== id));
}

/** Takes a connector away from everybody by a call. Answers whether it was done. */
async function takeAway(call: Promise<unknown>, id: number, failed: string, done: string): Promise<boolean> {
  try {
    await call;
  } catch (error) {
    notify.error(said(error, failed));
    return false;
  }
  drop(id);
  notify.success(done);
  return true;
}

/** Archives a connector for everybody. Answers whether it was done. */
export function archiveSource(id: number): Promise<boolean> {
  return takeAway(
    archiveDataSource(id),
    id,
    'Failed to archive connector',
    'Connector archived successfully',
  );
}

/** Deletes a connector for everybody. Answers whether it was done. */
export function deleteSource(id: number): Promise<boolean> {
  return takeAway(deleteDataSource(id), id, 'Failed to delete connector', 'Connector deleted successfully');
}

/** The toast's text of the specification, and behind it what the server says. */
function said(error: unknown, text: string): string {
  return error instanceof ApiError && error.message !== '' ? `${text}: ${error.message}` : text;
}

/** Saves the file that a connector was made of. */
export async function downloadSource(source: DeepReadonly<DataSource>): Promise<void> {
  try {
    saveBlob(await (await getDataSourceFile(source.id)).blob(), source.fileName);
    notify.success('File downloaded');
  } catch (error) {
    notify.error(said(error, 'Failed to download file'));
  }
}

/** Loads one connector with its tables. One that is held already is shown while it is refreshed. */
export async function loadDataSource(id: number, regeneratePreview = false): Promise<void> {
  const held = state.details[id];
  if (held?.phase === 'ready') held.refreshing = true;
  else state.details[id] = { phase: 'loading' };
  try {
    const source = await getDataSource(id, regeneratePreview);
    state.details[id] = { phase: 'ready', source, refreshing: false };
    if (regeneratePreview) notify.success('Connector data refreshed');
  } catch (error) {
    if (held?.phase === 'ready') {
      held.refreshing = false;
      notify.error(
        regeneratePreview ? 'Failed to refresh data source preview' : `Failed to fetch data source ${id}`,
      );
    } else if (error instanceof ApiError && error.status === 404) {
      state.details[id] = { phase: 'not-found' };
    } else {
      state.details[id] = { phase: 'failed' };
      notify.error(`Failed to fetch data source ${id}`);
    }
  }
}

/** Refetches the preview rows of a connector. */
export async function refreshPreview(id: number): Promise<void> {
  notify.info('Refreshing connector data');
  await loadDataSource(id, true);
}

/** Asks the server what a file is. */
export function inspectFile(file: File, signal: AbortSignal): Promise<FileInfo> {
  return getFileInfo(file, signal);
}

/** What the upload form needs to show of a failure. */
export interface UploadProblem {
  /** Messages by field, as the server gave them. */
  fields: Readonly<Record<string, string>>;
  message: string;
}

/** Reads a failed upload; the server's own sentence is the best there is. */
export function uploadProblem(error: unknown): UploadProblem {
  if (!(error instanceof ApiError)) return { fields: {}, message: 'Failed to upload file' };
  const fields = Object.fromEntries(error.fields.map(({ field, message }) => [field, message]));
  return { fields, message: error.message };
}

/** What the upload form hands over; who may use it is the person alone, until they share it. */
export type UploadInput = Pick<NewDataSource, 'file' | 'name' | 'description' | 'delimiter'>;

/** The key of the last upload that failed: sending the same again must not make a second connector. */
const lastUpload: { input: string; key: string } = { input: '', key: '' };

function uploadKey({ file, name, description, delimiter }: UploadInput): string {
  const input = JSON.stringify([file.name, file.size, file.lastModified, name, description, delimiter]);
  if (lastUpload.input !== input) Object.assign(lastUpload, { input, key: uuidv7() });
  return lastUpload.key;
}

/** Makes a connector of a file and puts it first in the list. */
async function uploadFile(input: UploadInput): Promise<{ source: DataSource } | { problem: UploadProblem }> {
  try {
    const type = uploadTypeOf(input.file);
    const source = await createDataSource({ ...input, scope: 'user', type }, uploadKey(input));
    lastUpload.input = '';
    changes.count++;
    state.sources = [source, ...state.sources.filter((other) => other.id !== source.id)];
    notify.success(`Connector ${source.name} successfully created`);
    return { source };
  } catch (error) {
    return { problem: uploadProblem(error) };
  }
}

export function resetDataSources(): void {
  Object.assign(state, initial());
}

/** What the upload dialog asks of its surroundings. */
export interface UploadWiring {
  accepted: string[];
  onInspect: typeof inspectFile;
  explain: typeof uploadProblem;
  onUpload: (input: UploadInput) => Promise<UploadProblem | null>;
}

/** Wires an upload dialog to this store; `onMade` hears of each connector that it has made. */
export function useUpload(onMade?: (id: number) => void): UploadWiring {
  const { types } = useSnapshot(state);
  return {
    accepted: types.flatMap((type) => (type.isUploadable ? type.extensions : [])),
    onInspect: inspectFile,
    explain: uploadProblem,
    onUpload: async (input) => {
      const result = await uploadFile(input);
      if ('problem' in result) return result.problem;
      onMade?.(result.source.id);
      return null;
    },
  };
}
