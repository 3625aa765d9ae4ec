import { useMemo } from 'react';
import type { MenuParts } from '@/components/menu/menu-parts';
import { chart as t } from '@/messages/chart';
import { categoryCount, type ChartModel } from './chart-model';
import { type RowsQuestion, rowsQuestion } from './rows-question';

/** With more places a menu of them is not read. */
const mostPlaces = 60;

interface ChartPlacesProps {
  parts: MenuParts;
  model: ChartModel;
  drawn: ChartModel;
  onAsk: (question: string) => void;
}

/** The places of a drawing as the items of a menu: each asks for its rows. */
export function ChartPlaces({ parts: { Label, Item }, model, drawn, onAsk }: ChartPlacesProps) {
  const rows = useMemo(() => rowsOf(model, drawn), [model, drawn]);
  return (
    <>
      <Label>{t('rows.of')}</Label>
      {rows.map(({ place, question }) => (
        <Item
          key={question}
          onSelect={() => {
            onAsk(question);
          }}
        >
          <bdi>{place}</bdi>
        </Item>
      ))}
    </>
  );
}

/** The questions for the rows of each place of a drawing, in its order. */
function rowsOf(model: ChartModel, drawn: ChartModel): readonly RowsQuestion[] {
  const places = Math.min(categoryCount(drawn), mostPlaces);
  return Array.from({ length: places }, (_, point) =>
    rowsQuestion(model, drawn, { series: null, point }),
  ).filter((question) => question !== null);
}
