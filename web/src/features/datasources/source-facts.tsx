import type { ReactNode } from 'react';
import { ProjectTags } from '@/components/project/project-tag';
import { connectorSize } from '@/components/connector/connector-content';
import { connectorTypeName } from '@/lib/connector-type';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { formatCalendarDay } from '@/lib/data-format';
import type { DataSource } from '@/lib/wire';
import { connectors as t } from '@/messages/connectors';
import styles from './datasources.module.css';

/** From the first to the last day of the first table that has days; empty if none has. */
function daysOf({ dataResourceSet: tables }: DeepReadonly<DataSource>): string {
  for (const { columns } of tables) {
    const days = columns.find(
      ({ type, values }) =>
        (type === 'date' || type === 'timestamp') && values !== undefined && values.min !== '',
    )?.values;
    if (days)
      return t('fact.until', { from: formatCalendarDay(days.min), until: formatCalendarDay(days.max) });
  }
  return '';
}

interface SourceFactsProps {
  source: DeepReadonly<DataSource>;
  /** The facts after these. */
  children: ReactNode;
}

/** The facts about a connector, in one line. */
export function SourceFacts({ source, children }: SourceFactsProps) {
  const columns = source.dataResourceSet.reduce((sum, table) => sum + table.columns.length, 0);
  const facts = [
    connectorTypeName(source.type),
    source.scope === 'organization' ? t('fact.organization') : source.owner.fullName,
    ...connectorSize(source),
    columns === 0 ? '' : t('fact.columns', { count: columns }),
    daysOf(source),
  ].filter((fact) => fact !== '');
  return (
    <span className={styles.factLine}>
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
      <ProjectTags projects={source.projectLabels} />
      {children}
    </span>
  );
}
