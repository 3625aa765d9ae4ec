import { Heading, Text } from '@radix-ui/themes';
import { useEffect, type ReactNode } from 'react';
import { useSnapshot } from 'valtio';
import { formatNumber } from '@/lib/data-format';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { DataSource, FactChange, FactLink, Facts } from '@/lib/wire';
import { connectors as t } from '@/messages/connectors';
import { factsState, loadFacts } from '@/stores/facts-store';
import styles from './datasources.module.css';

/** What was measured of a connector's file: keys, links, and what is different from the file before. */
export function SourceMeasured({ source: { id, version } }: { source: DeepReadonly<DataSource> }) {
  const facts = useSnapshot(factsState).byId[id];

  // A new file has a new version, and other facts.
  useEffect(() => {
    void loadFacts(id);
  }, [id, version]);

  if (facts === undefined) return null;
  return (
    <section className={styles.measured} aria-label={t('measured')}>
      <Heading as="h2" size="3" mb="2">
        {t('measured')}
      </Heading>
      <Lines>{linesOf(facts)}</Lines>
      {facts.changes.length > 0 && (
        <>
          <Heading as="h3" size="2" mt="3" mb="1">
            {t('measured.changes')}
          </Heading>
          <Lines>{facts.changes.map(changeText)}</Lines>
        </>
      )}
    </section>
  );
}

function Lines({ children }: { children: readonly string[] }): ReactNode {
  return children.map((line) => (
    <Text as="p" size="2" key={line}>
      {line}
    </Text>
  ));
}

/** The facts as sentences. Tables are named only if there are several. */
function linesOf({ status, tables, links }: DeepReadonly<Facts>): string[] {
  if (status !== 'measured') return [status === 'failed' ? t('measured.failed') : t('measured.pending')];
  const several = tables.length > 1;
  return [
    ...tables.flatMap((table) =>
      tableLines(table).map((line) => (several ? `${table.name}: ${line}` : line)),
    ),
    ...links.map(linkText),
  ];
}

function tableLines({ rows, keys, panel, unmeasured }: DeepReadonly<Facts['tables'][number]>): string[] {
  const lines = keys.map(({ columns }) =>
    t('measured.key', { columns: columns.join(' + '), rows: formatNumber(rows) }),
  );
  if (unmeasured.includes('keys')) lines.push(t('measured.key.unknown'));
  else if (keys.length === 0 && rows > 0) lines.push(t('measured.key.none'));
  if (panel !== undefined) {
    lines.push(t('measured.panel', { entity: panel.entity.join(' + '), period: panel.period }));
    if (panel.levels.length > 0) lines.push(t('measured.level', { columns: panel.levels.join(', ') }));
  }
  return lines;
}

function linkText(link: DeepReadonly<FactLink>): string {
  const other = link.other === '' ? '' : ` (${link.other})`;
  const line = t('measured.link', {
    from: `${link.fromTable}.${link.from.join(' + ')}`,
    to: `${link.toTable}.${link.to.join(' + ')}${other}`,
    matched: formatNumber(link.matched),
    distinct: formatNumber(link.distinct),
  });
  return link.orphans === 0 ? line : `${line} ${t('measured.link.orphans', { count: link.orphans })}`;
}

const changeIds = {
  table_came: 'measured.change.tableCame',
  table_gone: 'measured.change.tableGone',
  columns_came: 'measured.change.columnsCame',
  columns_gone: 'measured.change.columnsGone',
  key_lost: 'measured.change.keyLost',
  key_found: 'measured.change.keyFound',
  link_lost: 'measured.change.linkLost',
  link_found: 'measured.change.linkFound',
  link_orphans: 'measured.change.linkOrphans',
} as const satisfies Record<FactChange['kind'], Parameters<typeof t>[0]>;

function changeText(change: DeepReadonly<FactChange>): string {
  const { kind, table, columns, toTable, toColumns, repeated, missing, orphans } = change;
  const separator = kind === 'columns_came' || kind === 'columns_gone' ? ', ' : ' + ';
  return t(changeIds[kind], {
    table,
    columns: columns.join(separator),
    to: `${toTable}.${toColumns.join(' + ')}`,
    repeated,
    missing,
    orphans,
  });
}
