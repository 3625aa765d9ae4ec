import { Callout, Heading, Text } from '@radix-ui/themes';
import { Info } from 'lucide-react';
import { ColumnTable } from '@/components/connector/column-table';
import { DataTable } from '@/components/data-table/data-table';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { DataResource } from '@/lib/wire';
import { connectors as t } from '@/messages/connectors';
import styles from './datasources.module.css';

interface SourceTableProps {
  /** Left out if there is none. */
  table: DeepReadonly<DataResource> | undefined;
  /** The description that the page has shown already; a file with one table has the same description. */
  about: string;
  /** Why there is none; empty if unknown. */
  notice: string;
}

/** One table: its columns, its dictionary and its first rows. */
export function SourceTable({ table, about, notice }: SourceTableProps) {
  if (table === undefined) {
    return (
      <Callout.Root color="gray" mb="5">
        <Callout.Icon>
          <Info size={16} />
        </Callout.Icon>
        <Callout.Text>{notice || t('data.none')}</Callout.Text>
      </Callout.Root>
    );
  }
  const { name, description, columns, rows, details, preview } = table;
  return (
    <section className={styles.table} aria-label={name}>
      {/* The automatic description of a file lists its columns, which are shown below. */}
      {columns.length === 0 && description !== '' && description !== about && (
        <Text as="p" size="2" color="gray">
          {description}
        </Text>
      )}
      {columns.length > 0 && <ColumnTable name={name} columns={columns} rows={rows} dictionary={details} />}
      {details !== '' && (
        <details className={styles.dictionary}>
          <summary>{t('dictionary')}</summary>
          <Text as="p" size="2">
            {details}
          </Text>
        </details>
      )}
      <div>
        <Heading as="h2" size="3" mb="2">
          {t('rows.first')}
        </Heading>
        {/* What is not among the first rows can be in the table, so a filter of them would mislead. */}
        <DataTable data={preview} caption={t('preview.of', { name })} totalRows={rows} filterable={false} />
      </div>
    </section>
  );
}
