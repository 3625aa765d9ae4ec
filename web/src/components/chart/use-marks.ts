import { type RefObject, useMemo, useState } from 'react';
import { categoryCount, type ChartModel } from './chart-model';
import type { PressHandler } from './chart-options';
import type { PressedMark } from './chart-rows';
import { type RowsQuestion, rowsQuestion } from './rows-question';

/** With more places a menu of them is not read. */
const mostPlaces = 60;

interface Marks {
  /** The questions for the rows of each place of the drawing, in its order. */
  rows: readonly RowsQuestion[];
  /** Undefined if no place has a question. */
  onPress: PressHandler | undefined;
  pressed: PressedMark | null;
  onClose: () => void;
}

/** The marks of a drawing whose rows can be asked for, and the one that was pressed. */
export function useMarks(
  model: ChartModel,
  drawn: ChartModel,
  isAskable: boolean,
  drawing: RefObject<HTMLElement | null>,
): Marks {
  const [pressed, setPressed] = useState<PressedMark | null>(null);
  const rows = useMemo(() => (isAskable ? rowsOf(model, drawn) : []), [isAskable, model, drawn]);
  const onPress: PressHandler = (mark, event) => {
    const found = rowsQuestion(model, drawn, mark);
    const corner = drawing.current?.getBoundingClientRect();
    if (found === null || corner === undefined) return;
    setPressed({ ...found, left: event.clientX - corner.left, top: event.clientY - corner.top });
  };
  const onClose = () => {
    setPressed(null);
  };
  return {
    rows,
    onPress: rows.length === 0 ? undefined : onPress,
    pressed: isAskable ? pressed : null,
    onClose,
  };
}

function rowsOf(model: ChartModel, drawn: ChartModel): readonly RowsQuestion[] {
  const places = Math.min(categoryCount(drawn), mostPlaces);
  return Array.from({ length: places }, (_, point) =>
    rowsQuestion(model, drawn, { series: null, point }),
  ).filter((question) => question !== null);
}
