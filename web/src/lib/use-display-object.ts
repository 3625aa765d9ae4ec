import { useCallback, useEffect } from 'react';
import { useSnapshot } from 'valtio';

/** What has to be known of a display object to fetch it. */
interface ObjectOf {
  id: string;
  name: string;
  type: string;
  /** In bytes. */
  size: number;
}

/** The contents of display objects, as a store holds them. */
export interface HeldContents<C> {
  readonly state: { readonly contents: Readonly<Record<string, C>> };
  /** Says that a view shows this content; answers what to call when it does not any more. */
  readonly show: (id: string) => () => void;
  /** `whole` fetches a large table that a preview stands for. */
  readonly load: (object: ObjectOf, whole?: boolean) => Promise<void>;
  readonly download: (object: ObjectOf) => Promise<void>;
}

interface ShownObject<C> {
  content: C | { status: 'idle' };
  onLoad: () => void;
  onLoadWhole: () => void;
  onDownload: () => Promise<void>;
}

const idle = { status: 'idle' } as const;

/** The content of a display object, which is fetched when a view asks for it and held for as long as one shows it. */
export function useDisplayObject<C extends object>(
  held: HeldContents<C>,
  object: Omit<ObjectOf, 'size'> & { size?: number | null | undefined },
): ShownObject<C> {
  const { contents } = useSnapshot(held.state) as HeldContents<C>['state'];
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
