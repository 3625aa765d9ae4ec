import { Box, Flex, Text } from '@radix-ui/themes';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { NoticeHandler } from '@/components/code-block/notice';
import { LaterRows } from '@/components/data-table/later-table';
import { saveBlob } from '@/lib/save-file';
import { useAsk } from '@/lib/asking';
import { useWidth } from '@/lib/use-width';
import { chart as t } from '@/messages/chart';
import { arrangeChart } from './arrange';
import { ChartCanvas } from './chart-canvas';
import { chartTable } from './chart-data';
import { coarseGrain } from './coarse-grain';
import { ChartFailure } from './chart-failure';
import { ChartFigure } from './chart-figure';
import { type ChartForm, formOf, formsOf, inForm } from './chart-forms';
import { type ChartModel, onlyValue } from './chart-model';
import { ChartNotes } from './chart-notes';
import { ChartRows } from './chart-rows';
import { chartHeight } from './chart-size';
import { type ChartFormat, ChartToolbar, type ChartView } from './chart-toolbar';
import { describeChart } from './chart-words';
import styles from './chart.module.css';
import { chartNotes } from './notes';
import { parseChartConfig } from './parse-chart-config';
import { useMarks } from './use-marks';

/** From this width on, in px, a drawing and its numbers fit next to each other. */
const wide = 860;
const tableShare = 0.38;
const grainStep = 80;

/**
 * The maximum width of a column in a table next to a chart, in px: with a long name, the first number is still
 * visible.
 */
const besideColumn = 176;

interface ChartProps {
  /**
   * JSON text or parsed JSON of a display object. It is checked here; nothing unknown is passed to the chart
   * library.
   */
  config: unknown;
  /** Used if the configuration has no title. */
  title?: string | undefined;
  /** Height in px of the drawing; default 320. Horizontal bars take 26 px per row instead. */
  height?: number | undefined;
  /** Base name of downloads; default the title. */
  fileName?: string | undefined;
  /** What is shown until the reader chooses; by default the drawing, with its numbers if there is enough space. */
  opensAs?: ChartView | undefined;
  onNotice?: NoticeHandler | undefined;
}

/** A chart with a switch to its numbers, and downloads that are made in the browser. */
export function Chart({ config, title, height = 320, fileName, opensAs, onNotice }: ChartProps) {
  const parsed = useMemo(() => parseChartConfig(config), [config]);
  const [failed, setFailed] = useState<unknown>(null);
  const fail = useCallback(() => {
    setFailed(config);
  }, [config]);

  // A failure belongs to the configuration that caused it; a new one gets its own chance.
  if (!parsed.ok || (failed !== null && failed === config)) return <ChartFailure />;
  return (
    <ChartFrame
      model={parsed.chart}
      title={parsed.chart.title ?? title ?? null}
      height={height}
      fileName={fileName}
      opensAs={opensAs}
      onFailure={fail}
      onNotice={onNotice}
    />
  );
}

interface ChartFrameProps {
  model: ChartModel;
  title: string | null;
  height: number;
  fileName: string | undefined;
  opensAs: ChartView | undefined;
  onFailure: () => void;
  onNotice: NoticeHandler | undefined;
}

function ChartFrame({
  model: answered,
  title,
  height,
  fileName,
  opensAs,
  onFailure,
  onNotice,
}: ChartFrameProps) {
  const frame = useRef<HTMLElement>(null);
  const drawing = useRef<HTMLDivElement>(null);
  const width = useWidth(frame, 720);
  const isWide = width >= wide;
  const [chosen, setChosen] = useState<ChartView | null>(opensAs ?? null);
  const [showsAll, setShowsAll] = useState(false);
  const [form, setForm] = useState<ChartForm | null>(null);
  const model = useMemo(() => (form === null ? answered : inForm(answered, form)), [answered, form]);
  const laidOut = useMemo(() => arrangeChart(model, showsAll), [model, showsAll]);
  const single = onlyValue(laidOut.chart);
  const view = viewOf(chosen, isWide && single === null);
  const drawn = view === 'both' ? Math.round(width * (1 - tableShare)) : width;
  // In steps, so that the points are not computed again for each px while a window is resized.
  const step = Math.round(drawn / grainStep) * grainStep;
  const { chart, note } = useMemo(() => coarseGrain(laidOut.chart, step), [laidOut, step]);
  const arranged = { ...laidOut, chart };
  // The table has all numbers, also those that the drawing combines.
  const table = useMemo(
    () => (view === 'chart' ? null : chartTable(arrangeChart(model, true).chart)),
    [model, view],
  );
  const description = useMemo(() => describeChart({ ...chart, title }), [chart, title]);

  const forms = useMemo(() => drawableForms(answered), [answered]);
  const ask = useAsk();
  // Points that combine several rows of the table stand for no period that could be named.
  const isAskable = ask !== null && note === null && single === null;
  const marks = useMarks(model, chart, isAskable, drawing);

  const download = async (format: ChartFormat) => {
    try {
      const { exportChart, safeFileName } = await import('./chart-export');
      const words = { title, notes: chartNotes(arranged, note) };
      const file = await exportChart(format, arrangeChart(model, true).chart, words, frame.current);
      saveBlob(file, safeFileName(fileName ?? title ?? t('title'), format));
      onNotice?.({ tone: 'success', text: t('downloaded') });
    } catch {
      onNotice?.({ tone: 'error', text: t('download.failed') });
    }
  };

  return (
    <Box asChild className={styles.frame}>
      <figure ref={frame} data-chart-frame>
        <Flex asChild align="start" gap="3" px="4" pt="3" wrap="wrap">
          <figcaption>
            <Box flexGrow="1" minWidth="180px" flexBasis="0">
              <Text as="p" size="2" weight="medium">
                {title ?? t('title')}
              </Text>
              {chart.subtitle !== null && (
                <Text as="p" size="1" color="gray">
                  {chart.subtitle}
                </Text>
              )}
            </Box>
            <ChartToolbar
              view={view}
              isWide={isWide && single === null}
              hasDrawing={single === null}
              forms={single === null ? forms : []}
              form={formOf(chart)}
              rows={marks.rows}
              onView={setChosen}
              onForm={setForm}
              onRows={(question) => ask?.(question)}
              onDownload={(format) => void download(format)}
            />
          </figcaption>
        </Flex>
        <div className={styles.body} data-view={view}>
          {view !== 'table' && (
            <div ref={drawing} className={styles.drawing}>
              {single === null ? (
                <div className={styles.viewport}>
                  <ChartCanvas
                    chart={chart}
                    width={drawn}
                    height={chartHeight(chart, height)}
                    description={description}
                    onFailure={onFailure}
                    onPress={marks.onPress}
                  />
                </div>
              ) : (
                <ChartFigure chart={chart} {...single} />
              )}
              {marks.pressed !== null && ask !== null && (
                <ChartRows mark={marks.pressed} onAsk={ask} onClose={marks.onClose} />
              )}
              <ChartNotes
                arranged={arranged}
                grain={note}
                showsAll={showsAll}
                onToggleAll={() => {
                  setShowsAll(!showsAll);
                }}
              />
            </div>
          )}
          {table !== null && (
            <div className={styles.table}>
              <LaterRows
                data={table}
                caption={title === null ? t('data.plain') : t('data', { title })}
                widestColumn={view === 'both' ? besideColumn : undefined}
              />
            </div>
          )}
        </div>
      </figure>
    </Box>
  );
}

/** The forms in which a chart can be drawn. Columns with long names would be drawn as bars, which are a form of their own. */
function drawableForms(chart: ChartModel): readonly ChartForm[] {
  return formsOf(chart).filter(
    (form) => form !== 'column' || arrangeChart(inForm(chart, form), true).chart.type === 'column',
  );
}

/** The view to show: the chosen one if there is enough space for it. */
function viewOf(chosen: ChartView | null, isWide: boolean): ChartView {
  if (chosen === null) return isWide ? 'both' : 'chart';
  return chosen === 'both' && !isWide ? 'chart' : chosen;
}
