import { useMemo } from 'react';
import type { MenuParts } from '@/components/menu/menu-parts';
import { chart as t } from '@/messages/chart';
import { arrangeChart } from './arrange';
import { type ChartForm, formOf, formsOf, inForm } from './chart-forms';
import type { ChartModel } from './chart-model';

interface ChartFormItemsProps {
  parts: MenuParts;
  /** The chart as the answer has it, and as it is drawn. */
  answered: ChartModel;
  drawn: ChartModel;
  /** Called with the chart in the form that was chosen. */
  onForm: (chart: ChartModel) => void;
}

/** The forms of a chart as the items of a menu. */
export function ChartFormItems({ parts, answered, drawn, onForm }: ChartFormItemsProps) {
  const { RadioGroup, RadioItem } = parts;
  const forms = useMemo(() => drawableForms(answered), [answered]);
  return (
    <RadioGroup
      value={formOf(drawn) ?? ''}
      onValueChange={(form) => {
        onForm(inForm(answered, form as ChartForm));
      }}
    >
      {forms.map((form) => (
        <RadioItem key={form} value={form}>
          {t(`form.${form}`)}
        </RadioItem>
      ))}
    </RadioGroup>
  );
}

/** The forms in which a chart can be drawn. Columns with long names would be drawn as bars, which are a form of their own. */
function drawableForms(chart: ChartModel): readonly ChartForm[] {
  return formsOf(chart).filter(
    (form) => form !== 'column' || arrangeChart(inForm(chart, form), true).chart.type === 'column',
  );
}
