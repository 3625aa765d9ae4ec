import { Flex, IconButton, SegmentedControl } from '@radix-ui/themes';
import { ChartColumn, Download, Rows3 } from 'lucide-react';
import { Menu } from '@/components/menu/menu';
import { chart as t } from '@/messages/chart';
import type { ChartForm } from './chart-forms';
import type { RowsQuestion } from './rows-question';

/** The formats a chart can be saved in. */
export type ChartFormat = 'png' | 'svg' | 'csv';

/** The view of a chart: its drawing, its numbers, or both next to each other. */
export type ChartView = 'chart' | 'table' | 'both';

const formats: readonly ChartFormat[] = ['png', 'svg', 'csv'];

interface ChartToolbarProps {
  view: ChartView;
  /** There is enough space for the drawing and its numbers next to each other. */
  isWide: boolean;
  /** There is a drawing; a large figure is not one, and only its number can be saved. */
  hasDrawing: boolean;
  /** The forms in which it can be drawn, and the one in which it is. */
  forms: readonly ChartForm[];
  form: ChartForm | null;
  /** The places whose rows can be asked for. */
  rows: readonly RowsQuestion[];
  onView: (view: ChartView) => void;
  onForm: (form: ChartForm) => void;
  onRows: (question: string) => void;
  onDownload: (format: ChartFormat) => void;
}

/** Switch between drawing and numbers, the form of the drawing, the rows behind it, and the downloads. */
export function ChartToolbar({ view, isWide, hasDrawing, onView, onDownload, ...more }: ChartToolbarProps) {
  const views: readonly ChartView[] = isWide ? ['chart', 'table', 'both'] : ['chart', 'table'];
  return (
    <Flex align="center" gap="3" flexShrink="0" data-chart-tools>
      <SegmentedControl.Root
        size="1"
        value={view}
        aria-label={t('view')}
        onValueChange={(chosen) => {
          onView(chosen as ChartView);
        }}
      >
        {views.map((each) => (
          <SegmentedControl.Item key={each} value={each}>
            {t(`view.${each}`)}
          </SegmentedControl.Item>
        ))}
      </SegmentedControl.Root>
      {view !== 'table' && <FormMenu {...more} />}
      <RowsMenu {...more} />
      <Menu
        size="1"
        align="end"
        trigger={
          <IconButton type="button" size="1" variant="ghost" color="gray" aria-label={t('download')}>
            <Download size={15} aria-hidden />
          </IconButton>
        }
      >
        {(M) => (
          <>
            {formats.map((format) => (
              <M.Item
                key={format}
                // A picture can only be taken of what is drawn.
                disabled={format !== 'csv' && (view === 'table' || !hasDrawing)}
                onSelect={() => {
                  onDownload(format);
                }}
              >
                {t(`download.${format}`)}
              </M.Item>
            ))}
          </>
        )}
      </Menu>
    </Flex>
  );
}

/** The forms of the drawing; nothing if there is only one. */
function FormMenu({ forms, form, onForm }: Pick<ChartToolbarProps, 'forms' | 'form' | 'onForm'>) {
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

/** The places of the drawing as a menu, for those who do not press a mark. */
function RowsMenu({ rows, onRows }: Pick<ChartToolbarProps, 'rows' | 'onRows'>) {
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
