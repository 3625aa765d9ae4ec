import {
  archiveDataSource,
  changeDataSource,
  deleteDataSource,
  getDataSource,
  getDataSourceFile,
  saveDictionary,
  setDataSourceFavorite,
  type DataSourceChanges,
} from '@/api/datasources';
import { ApiError } from '@/api/errors';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { notify } from '@/lib/notify';
import { saveBlob } from '@/lib/save-file';
import type { DataSource } from '@/lib/wire';
import { changes, copiesOf, drop, replace, state } from './state';
import { uploadProblem, type UploadProblem } from './upload';

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

/** What came of saving: the connector as it is now, or messages by field where it was refused. */
export type SavedSource = { source: DataSource } | { problem: UploadProblem };

/** Saves what is said of a connector. */
export async function updateSource(id: number, input: DataSourceChanges): Promise<SavedSource> {
  try {
    const source = await changeDataSource(id, input);
    replace(source);
    notify.success('Connector updated successfully');
    return { source };
  } catch (error) {
    notify.error(said(error, 'Failed to update connector'));
    return { problem: uploadProblem(error) };
  }
}

/** Saves the data dictionary of one table. Answers the connector as it is now, or `null` where it failed. */
export async function updateDictionary(resourceId: number, details: string): Promise<DataSource | null> {
  try {
    const source = await saveDictionary(resourceId, details);
    replace(source);
    notify.success('Data dictionary saved successfully');
    return source;
  } catch (error) {
    notify.error(said(error, 'Failed to save data dictionary'));
    return null;
  }
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
    if (error instanceof ApiError && (error.status === 404 || error.status === 403)) {
      // It was deleted, or taken away from this person: nothing that is held of it is shown any more.
      drop(id);
      state.details[id] = { phase: 'not-found' };
    } else if (held?.phase === 'ready') {
      held.refreshing = false;
      notify.error(
        regeneratePreview ? 'Failed to refresh data source preview' : `Failed to fetch data source ${id}`,
      );
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
