import { IconButton } from '@radix-ui/themes';
import { ChartColumn, Rows3 } from 'lucide-react';
import { useMemo } from 'react';
import { Menu } from '@/components/menu/menu';
import { useAsk } from '@/lib/asking';
import { chart as t } from '@/messages/chart';
import { arrangeChart } from './arrange';
import { type ChartForm, formOf, formsOf, inForm } from './chart-forms';
import { categoryCount, type ChartModel, onlyValue } from './chart-model';
import { ChartRows } from './chart-rows';
import type { PressedMark } from './pressed-mark';
import { type RowsQuestion, rowsQuestion } from './rows-question';

/** With more places a menu of them is not read. */
const mostPlaces = 60;

interface ChartToolsProps {
  /** The chart as the answer has it, in the chosen form, and as it is drawn. */
  answered: ChartModel;
  model: ChartModel;
  drawn: ChartModel;
  /** Each place of the drawing is one of the data, so its rows can be asked for. */
  hasPlaces: boolean;
  isDrawn: boolean;
  pressed: PressedMark | null;
  onClose: () => void;
  /** The chart in the form that was chosen. */
  onForm: (chart: ChartModel) => void;
}

/** The forms of a chart, and the rows behind its marks. They are loaded after the chart. */
export function ChartTools(props: ChartToolsProps) {
  const { answered, model, drawn, hasPlaces, isDrawn, pressed, onClose, onForm } = props;
  const ask = useAsk();
  const forms = useMemo(() => drawableForms(answered), [answered]);
  const asks = ask !== null && hasPlaces;
  const rows = useMemo(() => (asks ? rowsOf(model, drawn) : []), [asks, model, drawn]);
  const mark = asks && pressed !== null ? rowsQuestion(model, drawn, pressed) : null;
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
      <RowsMenu rows={rows} onRows={(question) => ask?.(question)} />
      {ask !== null && mark !== null && pressed !== null && (
        <ChartRows mark={mark} at={pressed} onAsk={ask} onClose={onClose} />
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

/** The questions for the rows of each place of a drawing, in its order. */
function rowsOf(model: ChartModel, drawn: ChartModel): readonly RowsQuestion[] {
  const places = Math.min(categoryCount(drawn), mostPlaces);
  return Array.from({ length: places }, (_, point) =>
    rowsQuestion(model, drawn, { series: null, point }),
  ).filter((question) => question !== null);
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

interface RowsMenuProps {
  rows: readonly RowsQuestion[];
  onRows: (question: string) => void;
}

/** The places of the drawing as a menu, for those who do not press a mark. */
function RowsMenu({ rows, onRows }: RowsMenuProps) {
  if (rows.length === 0) return null;
  return (
    <Menu
      size="1"
      align="end"
      trigger={
        <IconButton type="button" size="1" variant="ghost" color="gray" aria-label={t('rows.of')}>
          <Rows3 size={15} aria-hidden />
        </IconButton>
      }
    >
      {(M) => (
        <>
          <M.Label>{t('rows.of')}</M.Label>
          {rows.map(({ place, question }) => (
            <M.Item
              key={question}
              onSelect={() => {
                onRows(question);
              }}
            >
              <bdi>{place}</bdi>
            </M.Item>
          ))}
        </>
      )}
    </Menu>
  );
}
