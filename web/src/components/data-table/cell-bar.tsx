import { Button, Flex, Text } from '@radix-ui/themes';
import { Copy } from 'lucide-react';
import { MarkedText } from '@/components/code-block/marked-text';
import type { NoticeHandler } from '@/components/code-block/notice';
import { copyToClipboard } from '@/lib/clipboard';
import { common } from '@/messages/common';
import { table as t } from '@/messages/table';
import styles from './data-table.module.css';
import type { Cell } from './cell';

/** The number of characters that are shown of a long text; copying takes all of it. */
const shownText = 2_000;

interface CellBarProps {
  label: string;
  /** The value as the table writes it. */
  text: string;
  /** The values of the row, as the file has them. */
  row: readonly Cell[];
  value: Cell;
  onNotice?: NoticeHandler | undefined;
}

/** The selected cell in full, however narrow its column is, with buttons to copy it or its row. */
export function CellBar({ label, text, row, value, onNotice }: CellBarProps) {
  const copy = async (what: string, done: string) => {
    const worked = await copyToClipboard(what);
    onNotice?.(worked ? { tone: 'success', text: done } : { tone: 'error', text: common('copy.failed') });
  };
  const copies = [
    { label: t('copy.cell'), what: cellText(value), done: t('copied.cell') },
    { label: t('copy.row'), what: rowText(row), done: t('copied.row') },
  ];
  return (
    <Flex align="start" gap="3" className={styles.bar} role="group" aria-label={t('cell')}>
      <Text size="1" color="gray" className={styles.barLabel}>
        {label}
      </Text>
      <Text size="1" className={styles.barText} tabIndex={text.length > 300 ? 0 : undefined}>
        {text === '' ? t('blank') : <MarkedText text={text.slice(0, shownText)} />}
      </Text>
      {copies.map(({ label, what, done }) => (
        <Button
          key={label}
          type="button"
          size="1"
          variant="ghost"
          color="gray"
          onClick={() => void copy(what, done)}
        >
          <Copy size={12} aria-hidden />
          {label}
        </Button>
      ))}
    </Flex>
  );
}

/** A cell as other programs read it: without unit and separators. */
export function cellText(cell: Cell): string {
  return cell === null ? '' : String(cell);
}

/** A row as spreadsheets paste it: cells separated by tabs; tabs and line breaks within a cell become blanks. */
function rowText(row: readonly Cell[]): string {
  return row.map((cell) => cellText(cell).replace(/[\t\r\n]+/gu, ' ')).join('\t');
}
