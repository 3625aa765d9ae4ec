import { Button, Flex, Text } from '@radix-ui/themes';
import { chart as t } from '@/messages/chart';
import styles from './chart.module.css';
import type { ArrangedChart } from './arrange';
import { chartNotes } from './notes';

interface ChartNotesProps {
  arranged: ArrangedChart;
  /** The note on the points that are drawn; null if all are drawn. */
  grain: string | null;
  showsAll: boolean;
  onToggleAll: () => void;
}

/** What a reader must know about the drawing: a base that is not zero, an incomplete period, what is left out. */
export function ChartNotes({ arranged, grain, showsAll, onToggleAll }: ChartNotesProps) {
  const { foldable } = arranged;
  const notes = chartNotes(arranged, grain);
  if (notes.length === 0 && foldable === null) return null;
  return (
    <Flex align="center" gap="3" wrap="wrap" className={styles.notes}>
      {notes.length > 0 && (
        <Text size="1" color="gray">
          {notes.join(' ')}
        </Text>
      )}
      {foldable !== null && (
        <Button
          type="button"
          size="1"
          variant="ghost"
          color="gray"
          onClick={onToggleAll}
          className={styles.all}
        >
          {showsAll ? t('fewer') : t('all', { count: foldable })}
        </Button>
      )}
    </Flex>
  );
}
