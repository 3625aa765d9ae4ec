import { Heading } from '@radix-ui/themes';
import type { ReactNode } from 'react';
import { useSnapshot } from 'valtio';
import { CodeBlock } from '@/components/code-block/code-block';
import { EmptyState } from '@/components/empty-state/empty-state';
import { FileCard } from '@/components/file-card/file-card';
import { LogView } from '@/components/log-view/log-view';
import { Markdown } from '@/components/markdown/markdown';
import { Page } from '@/components/page/page';
import { DisplayObjectView } from '@/components/transcript/display-object-view';
import { Transcript } from '@/components/transcript/transcript';
import type { DisplayContent } from '@/lib/display-content';
import { meState } from '@/stores/me-store';
import * as fixtures from '@/testing/fixtures/components';
import { AgentsSection } from './agents-section';
import { BlueprintSection } from './blueprint-section';
import { ChartsSection } from './charts-section';
import { FormsSection } from './forms-section';
import { ListSection } from './list-section';
import { OpeningsSection } from './openings-section';
import { TasksSection } from './tasks-section';
import { TurnSamples } from './turn-samples';
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
      <ChartsSection />
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
      <Section title="What opens">
        <OpeningsSection />
      </Section>
      <Section title="Forms">
        <FormsSection />
      </Section>
      <Section title="Parts of a blueprint">
        <BlueprintSection />
      </Section>
      <Section title="Lists">
        <ListSection />
      </Section>
      <Section title="Agents and memories">
        <AgentsSection />
      </Section>
      <Section title="Scheduled work and feedback">
        <TasksSection />
      </Section>
      <Section title="Turns">
        <TurnSamples />
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
