import { proxy } from 'valtio';
import {
  createFromTable,
  type ExportFormat,
  getContent,
  getExport,
  getPresignedUrl,
  previewBytes,
  type TableConnector,
} from '@/api/display-objects';
import { AttemptKey } from '@/lib/attempt-key';
import { atSignOut } from '@/lib/at-sign-out';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { DisplayContent } from '@/lib/display-content';
import { notify } from '@/lib/notify';
import { saveAs, saveBlob } from '@/lib/save-file';
import { serverMessage } from '@/lib/server-message';
import { type SubmitFailure, submitFailure } from '@/lib/submit-failure';
import type { LoadedContents } from '@/lib/use-display-object';
import { blocks as t } from '@/messages/blocks';
import { common } from '@/messages/common';

/** What must be known about a display object to fetch it. An unknown type is a file to download. */
export interface ObjectRef {
  id: string;
  name: string;
  type: string;
  size: number;
}

interface DisplayObjectsState {
  /** Fetched once per id: a display object never changes. */
  contents: Record<string, DisplayContent>;
}

const state = proxy<DisplayObjectsState>({ contents: {} });

export const displayObjectsState: DeepReadonly<DisplayObjectsState> = state;

/** Tables up to this many bytes are shown whole at once; for larger ones a preview comes first. */
const wholeTable = 256 * 1024;

/**
 * The maximum size of contents in memory, in bytes, in addition to those that are on screen: objects may have 64 MB
 * each.
 */
const cacheLimit = 50 * 1024 * 1024;

/** The maximum size of a content that is kept when its conversation is left, in bytes. */
const keptAfterLeaving = 512 * 1024;

/**
 * The size of each content, in bytes, the least recently shown one first; and how many views show each. Contents on
 * screen are never dropped.
 */
const cache: { sizes: Map<string, number>; shown: Map<string, number>; user: number } = {
  sizes: new Map(),
  shown: new Map(),
  // Counts the sign-outs: an answer that arrives after one is dropped.
  user: 0,
};

const texts: ReadonlySet<string> = new Set(['highcharts', 'csv', 'python', 'logs']);
const images: ReadonlySet<string> = new Set(['png', 'jpg', 'jpeg', 'gif']);

/** Drops a content; a view that needs it later fetches it again. */
function drop(id: string): void {
  const content = state.contents[id];
  if (content && 'imageUrl' in content) URL.revokeObjectURL(content.imageUrl);
  cache.sizes.delete(id);
  // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- a record by id is what valtio tracks best
  delete state.contents[id];
}

function makeRoom(): void {
  let total = [...cache.sizes.values()].reduce((sum, size) => sum + size, 0);
  for (const [id, size] of cache.sizes) {
    if (total <= cacheLimit) return;
    if (cache.shown.has(id)) continue;
    drop(id);
    total -= size;
  }
}

/** Marks this content as shown by a view. Returns a function to call when it is not shown any more. */
export function showDisplayObject(id: string): () => void {
  cache.shown.set(id, (cache.shown.get(id) ?? 0) + 1);
  return () => {
    const views = (cache.shown.get(id) ?? 1) - 1;
    if (views > 0) {
      cache.shown.set(id, views);
      return;
    }
    cache.shown.delete(id);
    const size = cache.sizes.get(id);
    if (size === undefined) return;
    // The one that was shown last is dropped last.
    cache.sizes.delete(id);
    cache.sizes.set(id, size);
    makeRoom();
  };
}

/**
 * A conversation was left: its large contents are dropped at once, and small ones are kept for a while, so that
 * they are shown without delay when the person returns.
 */
export function leaveDisplayObjects(): void {
  for (const [id, size] of [...cache.sizes]) {
    if (size > keptAfterLeaving && !cache.shown.has(id)) drop(id);
  }
}

/** Fetches the content once; `whole` fetches a large table that has only a preview. */
export async function loadDisplayObject(object: ObjectRef, whole = false): Promise<void> {
  const held = state.contents[object.id];
  if (held && held.status !== 'failed' && !whole) return;
  if (!texts.has(object.type) && !images.has(object.type)) {
    // It is only a file to download: there is nothing to fetch before a person asks for it.
    console.warn(`No preview for display objects of type ${object.type}`);
    return;
  }
  const { user } = cache;
  if (!whole) state.contents[object.id] = { status: 'loading' };
  const preview = object.type === 'csv' && object.size > wholeTable && !whole;
  try {
    const response = await getContent(object.id, preview ? previewBytes : undefined);
    const blob = await response.blob();
    // A server that does not support ranges answers 200 with everything.
    const truncated = preview && response.status === 206;
    const text = images.has(object.type) ? null : await blob.text();
    if (user !== cache.user) return;
    state.contents[object.id] =
      text === null
        ? { status: 'ready', imageUrl: URL.createObjectURL(blob) }
        : { status: 'ready', text, truncated };
    // A character of a text takes up to two bytes in memory.
    cache.sizes.set(object.id, text === null ? blob.size : text.length * 2);
    makeRoom();
  } catch {
    if (user !== cache.user) return;
    if (whole && held?.status === 'ready') notify.error(common('failed.load', { name: object.name }));
    else state.contents[object.id] = { status: 'failed' };
  }
}

/** Drops failed contents, because the server answers again: views on screen fetch them again. */
export function retryDisplayObjects(): void {
  for (const [id, content] of Object.entries(state.contents)) if (content.status === 'failed') drop(id);
}

const extensions: Readonly<Partial<Record<string, string>>> = {
  highcharts: 'json',
  python: 'txt',
  logs: 'log',
};

/** The name of a file with the extension of its kind. */
function fileNameOf(object: Pick<ObjectRef, 'name' | 'type'>): string {
  const extension = extensions[object.type] ?? object.type;
  return object.name.toLowerCase().endsWith(`.${extension}`) ? object.name : `${object.name}.${extension}`;
}

/**
 * Saves a display object as a file: as a blob, else by sending the browser to its link. Shows an error if neither
 * works.
 */
export async function downloadDisplayObject(object: ObjectRef): Promise<void> {
  const name = fileNameOf(object);
  try {
    saveBlob(await (await getContent(object.id)).blob(), name);
    notify.success(common('downloaded'));
  } catch {
    try {
      const link = await getPresignedUrl(object.id);
      saveAs(link.url, name);
    } catch (error) {
      notify.error(t('download.failed'));
      throw error;
    }
  }
}

/** The contents, for the views that draw them. */
export const loadedContents: LoadedContents = {
  state,
  show: showDisplayObject,
  load: loadDisplayObject,
  download: downloadDisplayObject,
};

/** Saves a table in another format, to which the server converts it. */
export async function exportDisplayObject(object: ObjectRef, format: ExportFormat): Promise<void> {
  try {
    const name = object.name.replace(/\.csv$/iu, '');
    saveBlob(await (await getExport(object.id, format)).blob(), `${name}.${format}`);
    notify.success(t('file.saved'));
  } catch (error) {
    notify.error(serverMessage(error, t('download.failed')));
  }
}

const connectorKey = new AttemptKey();

/** Makes a connector from a table; repeated tries make only one. */
export async function makeConnector(id: string, connector: TableConnector): Promise<SubmitFailure | null> {
  try {
    const source = await createFromTable(id, connector, connectorKey.of([id, connector]));
    connectorKey.done();
    notify.success(t('connector.created', { name: source.name }));
    return null;
  } catch (error) {
    return submitFailure(error, t('connector.failed'));
  }
}

/** Drops everything. */
export function resetDisplayObjects(): void {
  cache.user++;
  for (const id of Object.keys(state.contents)) drop(id);
}

atSignOut(resetDisplayObjects);
