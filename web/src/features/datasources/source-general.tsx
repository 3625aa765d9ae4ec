import type { DeepReadonly } from '@/lib/deep-readonly';
import { formatBytes, formatDay } from '@/lib/format';
import type { DataSource } from '@/lib/wire';
import { connectors as t } from '@/messages/connectors';
import styles from './datasources.module.css';

/** The facts about the whole connector: its file, its size, its owner and its date. */
export function SourceGeneral({ source }: { source: DeepReadonly<DataSource> }) {
  const tables = source.dataResourceSet;
  return (
    <dl className={styles.facts}>
      <Fact name={t('field.fileName')} value={source.fileName} />
      <Fact name={t('field.size')} value={source.size > 0 ? formatBytes(source.size) : ''} />
      <Fact name={t('field.owner')} value={source.owner.fullName} />
      <Fact name={t('field.added')} value={formatDay(source.createdAt)} />
      <Fact name={t('field.updated')} value={formatDay(source.updatedAt)} />
      <Fact
        name={t('column.lastUsed')}
        value={source.lastUsedAt === null ? t('column.never') : formatDay(source.lastUsedAt)}
      />
      {tables.length > 1 && (
        <Fact name={t('field.tables')} value={tables.map(({ name }) => name).join(', ')} />
      )}
    </dl>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  if (value === '') return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
