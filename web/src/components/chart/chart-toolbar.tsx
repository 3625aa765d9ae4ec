import { DropdownMenu, Flex, IconButton, Tooltip } from '@radix-ui/themes';
import { ChartColumn, Download, Table2 } from 'lucide-react';

/** The formats a chart can be saved in. */
export type ChartFormat = 'png' | 'svg' | 'csv';

/** Props of {@link ChartToolbar}. */
export interface ChartToolbarProps {
  showsTable: boolean;
  onToggleTable: () => void;
  onDownload: (format: ChartFormat) => void;
}

/** Switch between drawing and numbers, and the downloads. */
export function ChartToolbar({ showsTable, onToggleTable, onDownload }: ChartToolbarProps) {
  const toggle = showsTable ? 'Show chart' : 'Show data as table';
  return (
    <Flex align="center" gap="3" flexShrink="0">
      <Tooltip content={toggle}>
        <IconButton
          type="button"
          size="1"
          variant="ghost"
          color="gray"
          aria-label={toggle}
          onClick={onToggleTable}
        >
          {showsTable ? <ChartColumn size={15} aria-hidden /> : <Table2 size={15} aria-hidden />}
        </IconButton>
      </Tooltip>
      {/* Not modal: a modal menu locks the page's scrolling by an inline style element, which our policy refuses. */}
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger>
          <IconButton type="button" size="1" variant="ghost" color="gray" aria-label="Download chart">
            <Download size={15} aria-hidden />
          </IconButton>
        </DropdownMenu.Trigger>
        <DropdownMenu.Content size="1" align="end">
          {/* A picture can only be taken of what is drawn. */}
          <DropdownMenu.Item
            disabled={showsTable}
            onSelect={() => {
              onDownload('png');
            }}
          >
            PNG image
          </DropdownMenu.Item>
          <DropdownMenu.Item
            disabled={showsTable}
            onSelect={() => {
              onDownload('svg');
            }}
          >
            SVG image
          </DropdownMenu.Item>
          <DropdownMenu.Item
            onSelect={() => {
              onDownload('csv');
            }}
          >
            CSV data
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Root>
    </Flex>
  );
}
