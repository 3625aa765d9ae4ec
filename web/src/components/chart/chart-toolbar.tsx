import { Flex, IconButton, SegmentedControl } from '@radix-ui/themes';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { Menu } from '@/components/menu/menu';
import { chart as t } from '@/messages/chart';

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
  onView: (view: ChartView) => void;
  onDownload: (format: ChartFormat) => void;
  /** What else can be done with the chart. */
  children: ReactNode;
}

/** What can be done with a chart, the switch between drawing and numbers, and the downloads. */
export function ChartToolbar({ view, isWide, hasDrawing, onView, onDownload, children }: ChartToolbarProps) {
  const views: readonly ChartView[] = isWide ? ['chart', 'table', 'both'] : ['chart', 'table'];
  return (
    <Flex align="center" gap="3" flexShrink="0" data-chart-tools>
      {children}
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
