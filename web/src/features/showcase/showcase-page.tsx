import { Heading, Text } from '@radix-ui/themes';
import type { ReactNode } from 'react';
import { useSnapshot } from 'valtio';
import { Chart } from '@/components/chart';
import { CodeBlock } from '@/components/code-block';
import { DataTable } from '@/components/data-table';
import { EmptyState } from '@/components/empty-state/empty-state';
import { FileCard } from '@/components/file-card';
import { LogView } from '@/components/log-view';
import { Markdown } from '@/components/markdown';
import { Page } from '@/components/page/page';
import { Transcript, type DisplayContent, DisplayObjectView } from '@/components/transcript';
import { meState } from '@/stores/me-store';
import * as fixtures from '@/testing/fixtures/components';
import styles from './showcase.module.css';

const idle: DisplayContent = { status: 'idle' };

/** `/components`: every view in its states, from the fixtures of the tests. For superusers. */
function ShowcasePage() {
  const { user } = useSnapshot(meState);
  if (user?.isSuperuser !== true) {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router shows a thrown response by its status
    throw new Response('Not found', { status: 404, statusText: 'Not found' });
  }
  return (
    <Page title="Components" subtitle="Every view in its states.">
      <Section title="Charts">
        <div className={styles.grid}>
          <Chart config={fixtures.columnChart} title="Columns" />
          <Chart config={fixtures.lineChart} title="Lines" />
          <Chart config={fixtures.barChart} title="Bars" />
          <Chart config={fixtures.pieChart} title="Pie" />
          <Chart config={fixtures.stackedAreaChart} title="Stacked areas" />
          <Chart config={fixtures.manyBarsChart} title="Many columns" />
          <Chart config={fixtures.zeroChart} title="All zero" />
          <Chart config={fixtures.hostileChartText} title="Hostile configuration" />
          <Chart config="{" title="Broken configuration" />
        </div>
      </Section>
      <Section title="Tables">
        <DataTable data={fixtures.smallCsv} caption="A small table" />
        <Text as="p" size="2" my="3">
          10,000 rows
        </Text>
        <DataTable data={fixtures.longCsv(10_000)} caption="A long table" />
        <Text as="p" size="2" my="3">
          60 columns
        </Text>
        <DataTable data={fixtures.wideCsv(60)} caption="A wide table" />
        <Text as="p" size="2" my="3">
          Hostile names
        </Text>
        <DataTable data={fixtures.hostileCsv} caption="Hostile names" />
      </Section>
      <Section title="Code, logs, files">
        <div className={styles.grid}>
          <CodeBlock code={fixtures.pythonCode} language="python" title="Python" />
          <CodeBlock code={fixtures.sqlCode} language="sql" title="SQL" />
          <LogView text={fixtures.plainLogs} defaultOpen />
          <LogView text={fixtures.hostileLogs} defaultOpen />
          <FileCard name="Revenue by month" type="xlsx" size={48_211} />
        </div>
      </Section>
      <Section title="Markdown">
        <div className={styles.grid}>
          <Markdown text={fixtures.answerMarkdown} />
          <Markdown text={fixtures.hostileMarkdown} />
        </div>
      </Section>
      <Section title="Transcript">
        <div className={styles.transcript}>
          <Transcript
            conversationId="showcase"
            messages={fixtures.everyMessage}
            now={fixtures.fixtureNow}
            canRewind
            canRetry
            renderDisplayObject={(object) => (
              <DisplayObjectView object={object} content={fixtures.fixtureContents[object.id] ?? idle} />
            )}
          />
        </div>
      </Section>
      <Section title="Empty state">
        <EmptyState icon="?" title="Nothing here">
          What there would be, and how to get there.
        </EmptyState>
      </Section>
    </Page>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <Heading as="h2" size="4" mb="3">
        {title}
      </Heading>
      {children}
    </section>
  );
}

export { ShowcasePage as Component };
