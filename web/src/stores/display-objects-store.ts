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
import { notify } from '@/lib/notify';
import { saveAs, saveBlob } from '@/lib/save-file';
import { serverMessage } from '@/lib/server-message';
import { type SubmitFailure, submitFailure } from '@/lib/submit-failure';
import type { HeldContents } from '@/lib/use-display-object';
import { blocks as t } from '@/messages/blocks';
import { common } from '@/messages/common';

/** What has to be known of a display object to fetch it. An unknown type is a file to download. */
export interface ObjectRef {
  id: string;
  name: string;
  type: string;
  size: number;
}

/** What is held of a display object's content. */
export type DisplayContent =
  | { status: 'idle' }
  | { status: 'loading' }
  | { status: 'failed' }
  | { status: 'ready'; text: string; truncated?: boolean }
  | { status: 'ready'; imageUrl: string };

interface DisplayObjectsState {
  /** Fetched once per id: a display object never changes. */
  contents: Record<string, DisplayContent>;
}

const state = proxy<DisplayObjectsState>({ contents: {} });

export const displayObjectsState: DeepReadonly<DisplayObjectsState> = state;

/** Tables up to this many bytes are shown whole at once; of larger ones a preview comes first. */
const wholeTable = 256 * 1024;

/** What contents may take in memory, in bytes, beyond those that are on screen: objects may have 64 MB each. */
const cacheLimit = 50 * 1024 * 1024;

/** What one content may take to stay when its conversation is left, in bytes. */
const keptAfterLeaving = 512 * 1024;

/**
 * What each content takes, in bytes, the one that was on screen longest ago first; and how many views show each.
 * What is on screen is never let go of.
 */
const cache: { sizes: Map<string, number>; shown: Map<string, number>; user: number } = {
  sizes: new Map(),
  shown: new Map(),
  // Counts the sign-outs: an answer that comes after one belongs to nobody.
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

/** Says that a view shows this content. Answers what to call when it does not any more. */
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
    // The one that was looked at last is the last to go.
    cache.sizes.delete(id);
    cache.sizes.set(id, size);
    makeRoom();
  };
}

/**
 * A conversation was left: what of it is large goes at once, and what is small stays for a while, so that going
 * back shows it without a wait.
 */
export function leaveDisplayObjects(): void {
  for (const [id, size] of [...cache.sizes]) {
    if (size > keptAfterLeaving && !cache.shown.has(id)) drop(id);
  }
}

/** Fetches the content once; `whole` fetches a large table that a preview stands for. */
export async function loadDisplayObject(object: ObjectRef, whole = false): Promise<void> {
  const held = state.contents[object.id];
  if (held && held.status !== 'failed' && !whole) return;
  if (!texts.has(object.type) && !images.has(object.type)) {
    // Only a file to download: there is nothing to fetch before somebody asks for it.
    console.warn(`No preview for display objects of type ${object.type}`);
    return;
  }
  const { user } = cache;
  if (!whole) state.contents[object.id] = { status: 'loading' };
  const preview = object.type === 'csv' && object.size > wholeTable && !whole;
  try {
    const response = await getContent(object.id, preview ? previewBytes : undefined);
    const blob = await response.blob();
    // A server that does not know ranges answers 200 with everything.
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

/** Forgets what failed, now that the server answers again: views on screen fetch it again. */
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

/** Saves a display object as a file: as a blob, else by sending the browser to its link. Says where neither works. */
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
export const heldContents: HeldContents<DisplayContent> = {
  state,
  show: showDisplayObject,
  load: loadDisplayObject,
  download: downloadDisplayObject,
};

/** Saves a table in another format, which the server makes of it. */
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

/** Makes a connector of a table, once however often it is tried. */
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

/** Lets go of everything that is held. */
export function resetDisplayObjects(): void {
  cache.user++;
  for (const id of Object.keys(state.contents)) drop(id);
}

atSignOut(resetDisplayObjects);
