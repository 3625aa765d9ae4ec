import { IconButton } from '@radix-ui/themes';
import { ChartColumn, Rows3 } from 'lucide-react';
import { type ComponentProps, useMemo } from 'react';
import { Menu } from '@/components/menu/menu';
import { shownLater } from '@/lib/shown-later';
import { chart as t } from '@/messages/chart';
import { arrangeChart } from './arrange';
import { type ChartForm, formOf, formsOf, inForm } from './chart-forms';
import { type ChartModel, onlyValue } from './chart-model';
import type { ChartPlaces } from './chart-places';

const LaterPlaces = shownLater<ComponentProps<typeof ChartPlaces>>(
  async () => (await import('./chart-places')).ChartPlaces,
  () => null,
);

interface ChartToolsProps {
  /** The chart as the answer has it, in the chosen form, and as it is drawn. */
  answered: ChartModel;
  model: ChartModel;
  drawn: ChartModel;
  isDrawn: boolean;
  /** Called with the chart in the form that was chosen. */
  onForm: (chart: ChartModel) => void;
  /** Asks for the rows of a place; null where nobody can. */
  onAsk: ((question: string) => void) | null;
}

/** The forms of a chart, and the rows behind its marks. */
export function ChartTools({ answered, model, drawn, isDrawn, onForm, onAsk }: ChartToolsProps) {
  const forms = useMemo(() => drawableForms(answered), [answered]);
  return (
    <>
      {isDrawn && (
        <FormMenu
          forms={forms}
          form={formOf(drawn)}
          onForm={(form) => {
            onForm(inForm(answered, form));
          }}
        />
      )}
      {onAsk !== null && (
        // For those who do not press a mark.
        <Menu
          size="1"
          align="end"
          trigger={
            <IconButton type="button" size="1" variant="ghost" color="gray" aria-label={t('rows.of')}>
              <Rows3 size={15} aria-hidden />
            </IconButton>
          }
        >
          {(M) => <LaterPlaces parts={M} model={model} drawn={drawn} onAsk={onAsk} />}
        </Menu>
      )}
    </>
  );
}

/** The forms in which a chart can be drawn. Columns with long names would be drawn as bars, which are a form of their own. */
function drawableForms(chart: ChartModel): readonly ChartForm[] {
  if (onlyValue(chart) !== null) return [];
  return formsOf(chart).filter(
    (form) => form !== 'column' || arrangeChart(inForm(chart, form), true).chart.type === 'column',
  );
}

interface FormMenuProps {
  forms: readonly ChartForm[];
  form: ChartForm | null;
  onForm: (form: ChartForm) => void;
}

/** The forms of the drawing; nothing if there is only one. */
function FormMenu({ forms, form, onForm }: FormMenuProps) {
  if (forms.length < 2 || form === null) return null;
  return (
    <Menu
      size="1"
      align="end"
      trigger={
        <IconButton type="button" size="1" variant="ghost" color="gray" aria-label={t('form')}>
          <ChartColumn size={15} aria-hidden />
        </IconButton>
      }
    >
      {(M) => (
        <M.RadioGroup
          value={form}
          onValueChange={(chosen) => {
            onForm(chosen as ChartForm);
          }}
        >
          {forms.map((each) => (
            <M.RadioItem key={each} value={each}>
              {t(`form.${each}`)}
            </M.RadioItem>
          ))}
        </M.RadioGroup>
      )}
    </Menu>
  );
}
