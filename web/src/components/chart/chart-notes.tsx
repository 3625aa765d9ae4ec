import { Button, Flex, Text } from '@radix-ui/themes';
import { chart as t } from '@/messages/chart';
import { valueRange } from './axis-base';
import styles from './chart.module.css';
import type { ArrangedChart } from './arrange';
import { incompleteText, timeWriter } from './place-names';

interface ChartNotesProps {
  arranged: ArrangedChart;
  /** What is said of the points that are drawn; null where they are all of them. */
  grain: string | null;
  showsAll: boolean;
  onToggleAll: () => void;
}

/** What a reader must know of the drawing: a base that is not zero, a period that is not whole, what is left out. */
export function ChartNotes({ arranged, grain, showsAll, onToggleAll }: ChartNotesProps) {
  const { chart, foldable, hidden } = arranged;
  const period = incompleteText(chart);
  const first = chart.incompleteFirst === null ? null : timeWriter(chart.xAxis)(chart.incompleteFirst);
  const notes = [
    ...(grain === null ? [] : [grain]),
    ...(chart.yAxes.some((_, place) => valueRange(chart, place).isCut) ? [t('note.base')] : []),
    ...(first === null ? [] : [t('note.incomplete', { period: first })]),
    ...(period === null ? [] : [t('note.incomplete', { period })]),
    ...(hidden > 0 ? [t('others.hidden', { count: hidden })] : []),
  ];
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
