import { Box, Flex, Text } from '@radix-ui/themes';
import { type ComponentProps, useCallback, useMemo, useRef, useState } from 'react';
import type { NoticeHandler } from '@/components/code-block/notice';
import { LaterRows } from '@/components/data-table/later-table';
import { useAsk } from '@/lib/asking';
import { saveBlob } from '@/lib/save-file';
import { shownLater } from '@/lib/shown-later';
import { useWidth } from '@/lib/use-width';
import { chart as t } from '@/messages/chart';
import { arrangeChart } from './arrange';
import { isNamed, mayChange } from './chart-abilities';
import { ChartCanvas } from './chart-canvas';
import { chartTable } from './chart-data';
import { ChartFailure } from './chart-failure';
import { ChartFigure } from './chart-figure';
import { type ChartModel, onlyValue } from './chart-model';
import { ChartNotes } from './chart-notes';
import { ChartTools } from './chart-tools';
import type { ChartRows } from './chart-rows';
import type { PressedMark } from './pressed-mark';
import { chartHeight, columnBeside } from './chart-size';
import { type ChartFormat, ChartToolbar, type ChartView } from './chart-toolbar';
import { describeChart } from './chart-words';
import styles from './chart.module.css';
import { chartNotes } from './notes';
import { parseChartConfig } from './parse-chart-config';
import { useCoarseGrain } from './use-coarse-grain';

/** From this width on, in px, a drawing and its numbers fit next to each other. */
const wide = 860;
const tableShare = 0.38;
const grainStep = 80;

const LaterRowsOfMark = shownLater<ComponentProps<typeof ChartRows>>(
  async () => (await import('./chart-rows')).ChartRows,
  () => null,
);

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
  const width = useWidth(frame, 720);
  const isWide = width >= wide;
  const [chosen, setChosen] = useState<ChartView | null>(opensAs ?? null);
  const [showsAll, setShowsAll] = useState(false);
  const [formed, setFormed] = useState<{ of: ChartModel; chart: ChartModel } | null>(null);
  // A chosen form is of the chart for which it was chosen: an answer that grows is drawn as it says.
  const model = formed?.of === answered ? formed.chart : answered;
  const laidOut = useMemo(() => arrangeChart(model, showsAll), [model, showsAll]);
  const single = onlyValue(laidOut.chart);
  const view = viewOf(chosen, isWide && single === null);
  const drawn = view === 'both' ? Math.round(width * (1 - tableShare)) : width;
  // In steps, so that the points are not computed again for each px while a window is resized.
  const step = Math.round(drawn / grainStep) * grainStep;
  const coarse = useCoarseGrain(laidOut.chart, step, onFailure);
  const { chart, note } = coarse ?? { chart: laidOut.chart, note: null };
  const arranged = { ...laidOut, chart };
  // The table has all numbers, also those that the drawing combines.
  const table = useMemo(
    () => (view === 'chart' ? null : chartTable(arrangeChart(model, true).chart)),
    [model, view],
  );
  const description = useMemo(() => describeChart({ ...chart, title }), [chart, title]);

  const [pressed, setPressed] = useState<PressedMark | null>(null);
  // Points that combine several rows of the table stand for no period that could be named.
  const hasPlaces = note === null && single === null && isNamed(model.xAxis.column);
  const asking = useAsk();
  const ask = hasPlaces ? asking : null;

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
              onView={setChosen}
              onDownload={(format) => void download(format)}
            >
              <ChartTools
                answered={answered}
                model={model}
                drawn={chart}
                hasForms={view !== 'table' && single === null && mayChange(answered)}
                onForm={(inChosenForm) => {
                  setFormed({ of: answered, chart: inChosenForm });
                }}
                onAsk={ask}
              />
            </ChartToolbar>
          </figcaption>
        </Flex>
        <div className={styles.body} data-view={view}>
          {view !== 'table' && (
            <div className={styles.drawing}>
              {single === null ? (
                <div className={styles.viewport}>
                  {coarse === null ? (
                    <div style={{ height: chartHeight(chart, height) }} />
                  ) : (
                    <ChartCanvas
                      chart={chart}
                      width={drawn}
                      height={chartHeight(chart, height)}
                      description={description}
                      onFailure={onFailure}
                      onPress={ask === null ? undefined : setPressed}
                    />
                  )}
                </div>
              ) : (
                <ChartFigure chart={chart} {...single} />
              )}
              {pressed !== null && ask !== null && (
                <LaterRowsOfMark
                  model={model}
                  drawn={chart}
                  pressed={pressed}
                  onAsk={ask}
                  onClose={() => {
                    setPressed(null);
                  }}
                />
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
                widestColumn={view === 'both' ? columnBeside(width * tableShare) : undefined}
              />
            </div>
          )}
        </div>
      </figure>
    </Box>
  );
}

/** The view to show: the chosen one if there is enough space for it. */
function viewOf(chosen: ChartView | null, isWide: boolean): ChartView {
  if (chosen === null) return isWide ? 'both' : 'chart';
  return chosen === 'both' && !isWide ? 'chart' : chosen;
}
