import { Heading } from '@radix-ui/themes';
import { useState } from 'react';
import { ConversationHistory } from '@/components/transcript/conversation-history';
import { DisplayObjectView } from '@/components/transcript/display-object-view';
import type { TranscriptDisplayObject } from '@/components/transcript/message';
import { groupTurns } from '@/components/transcript/turns';
import { TurnView } from '@/components/transcript/turn-view';
import type { DisplayContent } from '@/lib/display-content';
import * as fixtures from '@/testing/fixtures/components';
import styles from './showcase.module.css';

const idle: DisplayContent = { status: 'idle' };

function renderDisplayObject(object: TranscriptDisplayObject) {
  return <DisplayObjectView object={object} content={fixtures.fixtureContents[object.id] ?? idle} />;
}

function everything(): boolean {
  return true;
}

/** A turn of a conversation in each of its states, and a conversation that can only be read. */
export function TurnSamples() {
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map());
  return (
    <>
      {fixtures.turnStates.map(([name, messages]) => (
        <div key={name}>
          <Heading as="h3" size="3" mb="3" mt="6">
            {name}
          </Heading>
          {groupTurns(messages).turns.map((turn) => (
            <TurnView
              key={turn.key}
              turn={turn}
              passes={everything}
              isRunning={name === 'At work' || name === 'Answering'}
              progress={null}
              now={fixtures.fixtureNow}
              readerId={null}
              highlightedId={null}
              opened={opened.get(name)}
              onOpened={(_, to) => {
                setOpened((before) => new Map(before).set(name, to));
              }}
              canRewind
              canRetry
              onRetry={() => undefined}
              onRewind={() => undefined}
              onAsk={() => undefined}
              renderDisplayObject={renderDisplayObject}
            />
          ))}
        </div>
      ))}
      <Heading as="h3" size="3" mb="3" mt="6">
        To be read only
      </Heading>
      <div className={styles.transcript}>
        <ConversationHistory
          conversationId="history"
          messages={fixtures.everyMessage}
          now={fixtures.fixtureNow}
          renderDisplayObject={renderDisplayObject}
        />
      </div>
    </>
  );
}
