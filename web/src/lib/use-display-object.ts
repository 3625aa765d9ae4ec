import { useCallback, useEffect } from 'react';
import { useSnapshot } from 'valtio';
import type { DisplayContent } from './display-content';

/** What must be known about a display object to fetch it. */
interface ObjectOf {
  id: string;
  name: string;
  type: string;
  /** In bytes. */
  size: number;
}

/** The contents of display objects in a store. */
export interface LoadedContents {
  readonly state: { readonly contents: Readonly<Record<string, DisplayContent>> };
  /** Marks this content as shown by a view; returns a function to call when it is not shown any more. */
  readonly show: (id: string) => () => void;
  /** `whole` fetches a large table that has only a preview. */
  readonly load: (object: ObjectOf, whole?: boolean) => Promise<void>;
  readonly download: (object: ObjectOf) => Promise<void>;
}

interface ShownObject {
  content: DisplayContent;
  onLoad: () => void;
  onLoadWhole: () => void;
  onDownload: () => Promise<void>;
}

const idle: DisplayContent = { status: 'idle' };

/** The content of a display object, which is fetched when a view needs it and kept as long as a view shows it. */
export function useDisplayObject(
  held: LoadedContents,
  object: Omit<ObjectOf, 'size'> & { size?: number | null | undefined },
): ShownObject {
  const { contents } = useSnapshot(held.state);
  const { id, name, type } = object;
  const size = object.size ?? 0;
  useEffect(() => held.show(id), [held, id]);
  const onLoad = useCallback(() => void held.load({ id, name, type, size }), [held, id, name, type, size]);
  return {
    content: contents[id] ?? idle,
    onLoad,
    onLoadWhole: () => void held.load({ id, name, type, size }, true),
    onDownload: () => held.download({ id, name, type, size }),
  };
}
