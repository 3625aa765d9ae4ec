import { useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import { FigurePopover, type FigureOrigin } from '@/components/transcript/figure-popover';
import type { FigureView } from '@/components/transcript/turn-actions';
import { displayObjectsState, loadDisplayObject } from '@/stores/display-objects-store';

/** A number in an answer with its origin, which is fetched when it is needed. */
export function RenderedFigure({ view }: { view: FigureView }) {
  const { figure, object, text, onShowQuery } = view;
  const content = useSnapshot(displayObjectsState).contents[figure.object];
  const [wanted, setWanted] = useState(false);
  const [found, setFound] = useState<FigureOrigin | 'failed' | 'cut' | null>(null);
  const failed = object === undefined || content?.status === 'failed';
  const table = content?.status === 'ready' && 'text' in content ? content : null;

  useEffect(() => {
    if (!wanted || table === null) return undefined;
    const current = { is: true };
    // The parser for tables is loaded with the first number that is pointed at.
    void import('./figure-origin').then(
      ({ figureOrigin }) => current.is && setFound(figureOrigin(view, table.text, table.truncated ?? false)),
      () => current.is && setFound('failed'),
    );
    return () => {
      current.is = false;
    };
  }, [wanted, view, table]);

  return (
    <FigurePopover
      text={text}
      found={failed && wanted ? 'failed' : found}
      onWant={() => {
        setWanted(true);
        if (object !== undefined) void loadDisplayObject({ ...object, size: object.size ?? 0 });
      }}
      onShowQuery={onShowQuery}
    />
  );
}
