import { proxy } from 'valtio';
import { getContent, getPresignedUrl, previewBytes } from '@/api/display-objects';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { notify } from '@/lib/notify';
import { saveAs, saveBlob } from '@/lib/save-file';

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

const texts: ReadonlySet<string> = new Set(['highcharts', 'csv', 'python', 'logs']);
const images: ReadonlySet<string> = new Set(['png', 'jpg', 'jpeg', 'gif']);

/** Fetches the content once; `whole` fetches a large table that a preview stands for. */
export async function loadDisplayObject(object: ObjectRef, whole = false): Promise<void> {
  const held = state.contents[object.id];
  if (held && held.status !== 'failed' && !whole) return;
  if (!texts.has(object.type) && !images.has(object.type)) {
    // Only a file to download: there is nothing to fetch before somebody asks for it.
    console.warn(`No preview for display objects of type ${object.type}`);
    return;
  }
  if (!whole) state.contents[object.id] = { status: 'loading' };
  const preview = object.type === 'csv' && object.size > wholeTable && !whole;
  try {
    const response = await getContent(object.id, preview ? previewBytes : undefined);
    state.contents[object.id] = images.has(object.type)
      ? { status: 'ready', imageUrl: URL.createObjectURL(await response.blob()) }
      : // A server that does not know ranges answers 200 with everything.
        { status: 'ready', text: await response.text(), truncated: preview && response.status === 206 };
  } catch {
    state.contents[object.id] = { status: 'failed' };
  }
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

/** Saves a display object as a file: as a blob, else by sending the browser to its link. */
export async function downloadDisplayObject(object: ObjectRef): Promise<void> {
  const name = fileNameOf(object);
  try {
    saveBlob(await (await getContent(object.id)).blob(), name);
    notify.success('File downloaded');
  } catch {
    const link = await getPresignedUrl(object.id);
    saveAs(link.url, name);
  }
}

/** Lets go of every image that is held. */
export function resetDisplayObjects(): void {
  for (const content of Object.values(state.contents)) {
    if ('imageUrl' in content) URL.revokeObjectURL(content.imageUrl);
  }
  state.contents = {};
}
