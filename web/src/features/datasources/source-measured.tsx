import { Heading, Text } from '@radix-ui/themes';
import { useEffect, type ReactNode } from 'react';
import { useSnapshot } from 'valtio';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { DataSource, FactChange, Facts } from '@/lib/wire';
import { connectors as t } from '@/messages/connectors';
import { factsState, loadFacts } from '@/stores/facts-store';
import { loadMeaning } from '@/stores/meaning-store';
import styles from './datasources.module.css';

/** In ms. Most files are measured within a few seconds. */
const againAfter = 3000;

/**
 * How far a connector's file is measured, and what is different from the file before. What was found is shown with what
 * the data mean.
 */
export function SourceMeasured({ source: { id, version } }: { source: DeepReadonly<DataSource> }) {
  const facts = useSnapshot(factsState).byId[id];

  // A new file has a new version, and other facts.
  useEffect(() => {
    void loadFacts(id);
  }, [id, version]);

  // While a file is being measured, the page asks again; what the data mean is read when more is known.
  const pending = facts?.status === 'pending';
  useEffect(() => {
    if (!pending) return undefined;
    const again = async (): Promise<void> => {
      await loadFacts(id);
      if (factsState.byId[id]?.status !== 'pending') await loadMeaning(id);
    };
    const timer = setInterval(() => void again(), againAfter);
    return () => clearInterval(timer);
  }, [id, pending]);

  if (facts === undefined) return null;
  const lines = linesOf(facts);
  if (lines.length === 0 && facts.changes.length === 0) return null;
  return (
    <section className={styles.measured} aria-label={t('measured')}>
      <Heading as="h2" size="3" mb="2">
        {t('measured')}
      </Heading>
      <Lines>{lines}</Lines>
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

/** Whether the file is measured, and which tables were too large for a part of it. Tables are named only if there are several. */
function linesOf({ status, tables }: DeepReadonly<Facts>): string[] {
  if (status !== 'measured') return [status === 'failed' ? t('measured.failed') : t('measured.pending')];
  const unknown = t('measured.key.unknown');
  return tables
    .filter(({ unmeasured }) => unmeasured.includes('keys'))
    .map(({ name }) => (tables.length > 1 ? `${name}: ${unknown}` : unknown));
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
  panel_lost: 'measured.change.panelLost',
  panel_found: 'measured.change.panelFound',
} as const satisfies Record<FactChange['kind'], Parameters<typeof t>[0]>;

function changeText(change: DeepReadonly<FactChange>): string {
  const { kind, table, columns, toTable, toColumns, repeated, missing, orphans } = change;
  const separator = kind === 'columns_came' || kind === 'columns_gone' ? ', ' : ' + ';
  return t(changeIds[kind], {
    table,
    columns: columns.join(separator),
    to: [toTable, toColumns.join(' + ')].filter((part) => part !== '').join('.'),
    repeated,
    missing,
    orphans,
  });
}
