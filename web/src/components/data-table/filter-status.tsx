import { Button, Flex, Text } from '@radix-ui/themes';
import { tableFilter as t } from '@/messages/table-filter';
import styles from './filter.module.css';

interface Matched {
  /** How many rows match, out of how many. */
  count: number;
  total: number;
  /** These are only the first rows of a file, which has `whole` rows if that is known. */
  isBeginning: boolean;
  whole: number | undefined;
}

/** How many rows match. Of the beginning of a file it does not say more than what was looked through. */
export function matchedText({ count, total, isBeginning, whole }: Matched): string {
  if (whole !== undefined && whole > total) return t('rows.first.of', { count, total, whole });
  return t(isBeginning ? 'rows.first' : 'rows', { count, total });
}

interface ClearProps {
  onClear: () => void;
}

export function ClearFilters({ onClear }: ClearProps) {
  return (
    <Button type="button" size="1" variant="ghost" onClick={onClear}>
      {t('clear')}
    </Button>
  );
}

/** Stands in place of the rows when none matches. */
export function NoMatch({ onClear }: ClearProps) {
  return (
    <Flex direction="column" align="center" gap="2" p="5" className={styles.none}>
      <Text size="2" color="gray">
        {t('none')}
      </Text>
      <ClearFilters onClear={onClear} />
    </Flex>
  );
}
