import {
  archiveDataSource,
  changeDataSource,
  deleteDataSource,
  getDataSource,
  getDataSourceFile,
  replaceDataSourceFile,
  saveDictionary,
  setDataSourceFavorite,
  type DataSourceChanges,
} from '@/api/datasources';
import { AttemptKey } from '@/lib/attempt-key';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { notify } from '@/lib/notify';
import { saveBlob } from '@/lib/save-file';
import { withServerMessage } from '@/lib/server-message';
import type { SubmitFailure } from '@/lib/submit-failure';
import type { DataSource } from '@/lib/wire';
import { connectors as t } from '@/messages/connectors';
import { dataSources } from './sources';
import { uploadProblem } from './upload';

/** Toggles the favorite flag at once, and reverts it if the server refuses. */
export async function toggleDataSourceFavorite(id: number, isFavorite: boolean): Promise<void> {
  dataSources.patch(id, { isFavorite });
  try {
    await setDataSourceFavorite(id, isFavorite);
  } catch {
    dataSources.patch(id, { isFavorite: !isFavorite });
    notify.error(isFavorite ? t('favorite.failed') : t('unfavorite.failed'));
  }
}

/** The result of saving: the connector as it is now, or messages by field if it was refused. */
export type SavedSource = { source: DataSource } | { problem: SubmitFailure };

/** Saves the name, description and projects of a connector. */
export async function updateSource(id: number, input: DataSourceChanges): Promise<SavedSource> {
  try {
    const source = await changeDataSource(id, input);
    dataSources.put(source);
    notify.success(t('updated'));
    return { source };
  } catch (error) {
    notify.error(withServerMessage(error, t('update.failed')));
    return { problem: uploadProblem(error) };
  }
}

/** Sending the same file again after a failure replaces it once. */
const replacing = new AttemptKey();

/** Replaces the file of a connector. The dialog shows the reason of a refusal. */
export async function replaceFile(
  id: number,
  file: File,
  version: number,
  signal: AbortSignal,
): Promise<SavedSource> {
  const key = replacing.of([id, file.name, file.size, file.lastModified, version]);
  try {
    const source = await replaceDataSourceFile(id, file, version, key, signal);
    replacing.done();
    dataSources.put(source);
    notify.success(t('updated'));
    return { source };
  } catch (error) {
    return { problem: uploadProblem(error) };
  }
}

/** Saves the data dictionary of one table. Returns the connector as it is now, or `null` if it failed. */
export async function updateDictionary(resourceId: number, details: string): Promise<DataSource | null> {
  try {
    const source = await saveDictionary(resourceId, details);
    dataSources.put(source);
    notify.success(t('dictionary.saved'));
    return source;
  } catch (error) {
    notify.error(withServerMessage(error, t('dictionary.failed')));
    return null;
  }
}

/** Archives or deletes a connector for all users with a call. Returns whether it was done. */
async function takeAway(call: Promise<unknown>, id: number, failed: string, done: string): Promise<boolean> {
  try {
    await call;
  } catch (error) {
    notify.error(withServerMessage(error, failed));
    return false;
  }
  dataSources.forget(id);
  notify.success(done);
  return true;
}

/** Archives a connector for all users. Returns whether it was done. */
export function archiveSource(id: number): Promise<boolean> {
  return takeAway(archiveDataSource(id), id, t('archive.failed'), t('archived'));
}

/** Deletes a connector for all users. Returns whether it was done. */
export function deleteSource(id: number): Promise<boolean> {
  return takeAway(deleteDataSource(id), id, t('delete.failed'), t('deleted'));
}

/** Saves the file that a connector was made from. */
export async function downloadSource(source: DeepReadonly<DataSource>): Promise<void> {
  try {
    saveBlob(await (await getDataSourceFile(source.id)).blob(), source.fileName);
    notify.success(t('downloaded'));
  } catch (error) {
    notify.error(withServerMessage(error, t('download.failed')));
  }
}

/** Loads one connector with its tables. One that is loaded already is shown while it is refreshed. */
export async function loadDataSource(id: number): Promise<void> {
  await dataSources.fetch(id);
  if (dataSources.state.details[id]?.status === 'failed') notify.error(t('fetch.failed', { id: String(id) }));
}

/** Reads the preview rows of a connector from its file again. */
export async function refreshPreview(id: number): Promise<void> {
  notify.info(t('refreshing'));
  try {
    dataSources.put(await getDataSource(id, true));
    notify.success(t('refreshed'));
  } catch {
    notify.error(t('refresh.failed'));
    // If it was deleted or withdrawn meanwhile, its old state is no longer shown.
    await dataSources.fetch(id);
  }
}
