import { useMemo, useState } from 'react';
import { useSnapshot } from 'valtio';
import { cellFormatter } from '@/components/data-table/format-cell';
import { parseTable } from '@/components/data-table/parse-table';
import { FigurePopover, type FigureRow } from '@/components/transcript/figure-popover';
import type { FigureView } from '@/components/transcript/turn-actions';
import { displayObjectsState, loadDisplayObject, type DisplayContent } from '@/stores/display-objects-store';

type Found = FigureRow | 'failed' | null;

/** The row of a figure, from the table's text. A row beyond a preview is not there. */
function rowOf({ figure, object }: FigureView, content: DisplayContent | undefined): Found {
  if (object === undefined || content?.status === 'failed') return 'failed';
  if (content?.status !== 'ready' || !('text' in content)) return null;
  const { columns, rows } = parseTable(content.text, {
    truncated: content.truncated ?? false,
    shown: object.columns,
  });
  const row = rows[figure.row];
  if (row === undefined || columns[figure.column] === undefined) return 'failed';
  return {
    table: object.name.replace(/\.csv$/u, ''),
    row: figure.row,
    column: figure.column,
    cells: columns.map((column, at) => ({
      name: column.label,
      value: cellFormatter(column)(row[at] ?? null),
    })),
  };
}

/** A number of an answer with the row that it was read from, which is fetched when it is wanted. */
export function RenderedFigure({ view }: { view: FigureView }) {
  const { object, text, onShowQuery } = view;
  const content = useSnapshot(displayObjectsState).contents[view.figure.object];
  const [wanted, setWanted] = useState(false);
  const found = useMemo(() => (wanted ? rowOf(view, content) : null), [wanted, view, content]);

  return (
    <FigurePopover
      text={text}
      found={found}
      onWant={() => {
        setWanted(true);
        if (object !== undefined) void loadDisplayObject({ ...object, size: object.size ?? 0 });
      }}
      onShowQuery={onShowQuery}
    />
  );
}
