import { Box, Flex, Text } from '@radix-ui/themes';
import { useCallback, useMemo, useRef, useState } from 'react';

import type { NoticeHandler } from '../code-block';
import { DataTable } from '../data-table';
import { ChartCanvas } from './chart-canvas';
import { chartCsv, chartTable, describeChart } from './chart-data';
import { chartPng, chartSvg, safeFileName, saveFile } from './chart-export';
import { ChartFailure } from './chart-failure';
import type { ChartModel } from './chart-model';
import { chartHeight } from './chart-size';
import { type ChartFormat, ChartToolbar } from './chart-toolbar';
import styles from './chart.module.css';
import { parseChartConfig } from './parse-chart-config';

/** Props of {@link Chart}. */
export interface ChartProps {
  /** JSON text or parsed JSON of a display object. Checked here; nothing unknown reaches the chart library. */
  config: unknown;
  /** Used when the configuration has no title of its own. */
  title?: string | undefined;
  /** Height in px of the drawing; default 320. Lying bars take 60 px per category instead. */
  height?: number | undefined;
  /** Base name of downloads; default the title. */
  fileName?: string | undefined;
  onNotice?: NoticeHandler | undefined;
}

/** A chart with its numbers one click away, and downloads that are made in the browser. */
export function Chart({ config, title, height = 320, fileName, onNotice }: ChartProps) {
  const parsed = useMemo(() => parseChartConfig(config), [config]);
  const [failed, setFailed] = useState<unknown>(null);
  const fail = useCallback(() => {
    setFailed(config);
  }, [config]);

  // A failure belongs to the configuration that caused it; a new one gets its own chance.
  if (!parsed.ok || (failed !== null && failed === config)) return <ChartFailure />;
  return (
    <ChartFrame
      chart={parsed.chart}
      title={parsed.chart.title ?? title ?? null}
      height={height}
      fileName={fileName}
      onFailure={fail}
      onNotice={onNotice}
    />
  );
}

interface ChartFrameProps {
  chart: ChartModel;
  title: string | null;
  height: number;
  fileName: string | undefined;
  onFailure: () => void;
  onNotice: NoticeHandler | undefined;
}

function ChartFrame({ chart, title, height, fileName, onFailure, onNotice }: ChartFrameProps) {
  const frame = useRef<HTMLElement>(null);
  const [showsTable, setShowsTable] = useState(false);
  const table = useMemo(() => (showsTable ? chartTable(chart) : null), [chart, showsTable]);
  const description = useMemo(() => describeChart({ ...chart, title }), [chart, title]);

  const download = async (format: ChartFormat) => {
    try {
      const file = await exportChart(format, chart, title, frame.current);
      saveFile(file, safeFileName(fileName ?? title ?? 'chart', format));
      onNotice?.({ tone: 'success', text: 'File downloaded' });
    } catch {
      onNotice?.({ tone: 'error', text: 'The chart could not be saved as a file.' });
    }
  };

  return (
    <Box asChild className={styles.frame}>
      <figure ref={frame} data-chart-frame>
        <Flex asChild align="start" gap="3" px="4" pt="3">
          <figcaption>
            <Box flexGrow="1" minWidth="0">
              <Text as="p" size="2" weight="medium">
                {title ?? 'Chart'}
              </Text>
              {chart.subtitle !== null && (
                <Text as="p" size="1" color="gray">
                  {chart.subtitle}
                </Text>
              )}
            </Box>
            <ChartToolbar
              showsTable={showsTable}
              onToggleTable={() => {
                setShowsTable(!showsTable);
              }}
              onDownload={(format) => void download(format)}
            />
          </figcaption>
        </Flex>
        {table === null ? (
          <div className={styles.viewport}>
            <ChartCanvas
              chart={chart}
              height={chartHeight(chart, height)}
              description={description}
              onFailure={onFailure}
            />
          </div>
        ) : (
          <Box p="3">
            <DataTable data={table} caption={`Data of ${title ?? 'the chart'}`} />
          </Box>
        )}
      </figure>
    </Box>
  );
}

async function exportChart(
  format: ChartFormat,
  chart: ChartModel,
  title: string | null,
  frame: HTMLElement | null,
): Promise<Blob> {
  // The mark at the front is what makes spreadsheets read the text as UTF-8.
  if (format === 'csv') return new Blob([`\ufeff${chartCsv(chart)}`], { type: 'text/csv' });
  const drawing = frame?.querySelector<SVGSVGElement>('svg.highcharts-root');
  if (drawing === null || drawing === undefined) throw new Error('nothing is drawn yet');
  return format === 'png'
    ? chartPng(drawing, title)
    : new Blob([chartSvg(drawing, title)], { type: 'image/svg+xml' });
}
