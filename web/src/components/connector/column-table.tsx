import { Button, Text } from '@radix-ui/themes';
import { useState } from 'react';
import { groupsDigits } from '@/components/data-table/column-kind';
import sideways from '@/components/surface/sideways.module.css';
import { Tooltip } from '@/components/tooltip/tooltip';
import { columnHeading, dictionaryEntries } from '@/lib/column-name';
import { cx } from '@/lib/cx';
import { formatCalendarDay, formatNumber, formatShare } from '@/lib/data-format';
import { connectors as t } from '@/messages/connectors';
import { table } from '@/messages/table';
import styles from './column-table.module.css';

/** What is known about a column and its values. */
interface ConnectorColumn {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'timestamp';
  readonly description: string;
  /** Left out if nothing is known about them. */
  readonly values?: ColumnValues | undefined;
}

interface ColumnValues {
  /** Rows without a value. */
  readonly empty: number;
  readonly min: string;
  readonly max: string;
  readonly examples: readonly string[];
}

interface ColumnTableProps {
  /** The name of the table. */
  name: string;
  columns: readonly ConnectorColumn[];
  rows: number;
  /** The data dictionary, whose lines explain columns. */
  dictionary: string;
}

/** So many columns are shown at once: the rows below are not far from the top of the page. */
const shownAtFirst = 20;

const frame = cx(styles.scroll, sideways.box);

const typeTexts = {
  text: 'valueType.text',
  integer: 'valueType.number',
  number: 'valueType.number',
  boolean: 'valueType.boolean',
  date: 'valueType.date',
  timestamp: 'valueType.time',
} as const;

const truths = [
  { value: 'false', text: table('no') },
  { value: 'true', text: table('yes') },
] as const;

/** The columns of a table: their names, their meaning, the share of rows with a value, and typical values. */
export function ColumnTable({ name, columns, rows, dictionary }: ColumnTableProps) {
  const [all, setAll] = useState(false);
  const entries = dictionaryEntries(dictionary);
  const described = columns.map((column) => {
    const { label, note } = columnHeading(column.name, column.description);
    return { column, label, meaning: entries.get(column.name.toLowerCase()) ?? note };
  });
  const hasMeanings = described.some(({ meaning }) => meaning !== '');
  const shown = all ? described : described.slice(0, shownAtFirst);
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- where it scrolls sideways the keys must reach it
    <div className={frame} role="group" tabIndex={0} aria-label={t('table.of', { name })}>
      <table className={styles.table} aria-label={t('table.of', { name })}>
        <thead>
          <tr>
            <th scope="col">{t('table.column')}</th>
            {hasMeanings && (
              <th scope="col" className={styles.means}>
                {t('table.means')}
              </th>
            )}
            <th scope="col">{t('table.type')}</th>
            <th scope="col" className={styles.filled}>
              {t('table.filled')}
            </th>
            <th scope="col" className={styles.examples}>
              {t('table.examples')}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ column, label, meaning }) => (
            <tr key={column.name}>
              <th scope="row">
                <Tooltip content={column.name}>
                  <span>{label}</span>
                </Tooltip>
              </th>
              {hasMeanings && (
                <td>
                  <Text as="span" color="gray">
                    {meaning}
                  </Text>
                </td>
              )}
              <td>{t(typeTexts[column.type])}</td>
              <td className={styles.filled}>
                {column.values && rows > 0 ? <Filled share={(rows - column.values.empty) / rows} /> : '–'}
              </td>
              <td className={styles.examples} title={examplesOf(column)}>
                {examplesOf(column) || '–'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < described.length && (
        <Button size="1" variant="ghost" m="3" onClick={() => setAll(true)}>
          {t('table.all', { count: described.length })}
        </Button>
      )}
    </div>
  );
}

/** The share of the rows that have a value; the bar is decorative. */
function Filled({ share }: { share: number }) {
  return (
    <span className={styles.share}>
      <span className={styles.bar} aria-hidden="true">
        <span style={{ width: `${share * 100}%` }} />
      </span>
      {formatShare(share)}
    </span>
  );
}

/** Formats numbers with as many decimals as the one with the most of them: `24.00 – 943.90`. */
function numbersAlike(name: string, values: readonly string[]): (value: string) => string {
  // A year or a number of an account is written as it is.
  if (!groupsDigits(name)) return (value) => value;
  const decimals = Math.max(...values.map((value) => /\.(\d+)$/u.exec(value)?.[1]?.length ?? 0));
  return (value) => formatNumber(value, decimals);
}

/** The most frequent texts, or the range of values that have an order. */
function examplesOf({ name, type, values }: ConnectorColumn): string {
  if (!values) return '';
  const { min, max, examples } = values;
  if (type === 'boolean') {
    const given = new Set([min, max, ...examples]);
    return truths
      .filter(({ value }) => given.has(value))
      .map(({ text }) => text)
      .join(', ');
  }
  if (examples.length > 0) return examples.join(', ');
  const format = type === 'date' || type === 'timestamp' ? formatCalendarDay : numbersAlike(name, [min, max]);
  const [from, to] = [min, max].map((value) => (value === '' ? '' : format(value) || value));
  return [...new Set([from, to])].filter(Boolean).join(' – ');
}
