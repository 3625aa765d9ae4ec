import { Button, Flex, Heading, Skeleton, Text } from '@radix-ui/themes';
import { useId, useState } from 'react';
import { useSnapshot } from 'valtio';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { labelIn } from '@/lib/meaning-label';
import type { MeaningReason } from '@/lib/wire';
import { common } from '@/messages/common';
import { meaning as t } from '@/messages/meaning';
import { loadMeaning, meaningState } from '@/stores/meaning-store';
import { CorrectButton, MeaningEditor, type Asked } from './correct';
import { saidOf, type About } from './meaning-about';
import { MeaningColumns } from './meaning-columns';
import { MeaningLinks } from './meaning-links';
import { MeaningQuestions } from './meaning-questions';
import { keyText, rowText } from './meaning-words';
import { RestingCorrections, SaidLines } from './said-lines';
import { Why } from './why';
import styles from './meaning.module.css';

interface SourceMeaningProps {
  sourceId: number;
  /** The id of the table. */
  tableId: number;
}

/** What the data of one table mean, with what people said about them. */
export function SourceMeaning({ sourceId, tableId }: SourceMeaningProps) {
  const held = useSnapshot(meaningState).byId[sourceId];
  const heading = useId();
  if (held === undefined || held.meaning === null) {
    return (
      <section className={styles.meaning} aria-labelledby={heading}>
        <MeaningHeading id={heading} />
        {held?.status === 'failed' ? (
          <Flex align="center" gap="3" wrap="wrap">
            <Text size="2" color="gray">
              {t('failed')}
            </Text>
            <Button size="1" variant="soft" onClick={() => void loadMeaning(sourceId)}>
              {common('retry')}
            </Button>
          </Flex>
        ) : (
          <div role="status" aria-label={t('loading')}>
            <Skeleton height="18px" width="320px" maxWidth="100%" mb="2" />
            <Skeleton height="18px" width="480px" maxWidth="100%" />
          </div>
        )}
      </section>
    );
  }
  const { meaning, saving } = held;
  const table = meaning.tables.find(({ id }) => id === tableId);
  if (table === undefined) return null;
  const about: About = { sourceId, meaning, table, editable: meaning.abilities.correct, saving };
  return (
    <section className={styles.meaning} aria-labelledby={heading}>
      <MeaningHeading id={heading} />
      <Text as="p" size="2" color="gray" mb="3">
        {t(about.editable ? 'intro.edit' : 'intro')}
        {!meaning.measured && ` ${t('pending')}`}
      </Text>
      <Row {...about} />
      <MeaningQuestions {...about} />
      <MeaningColumns {...about} />
      <MeaningLinks {...about} />
    </section>
  );
}

/** The corrections of a connector that the present file has nothing for. */
export function Resting({ sourceId }: { sourceId: number }) {
  const held = useSnapshot(meaningState).byId[sourceId];
  if (held?.meaning == null) return null;
  const { corrections, abilities } = held.meaning;
  return (
    <RestingCorrections
      {...{ sourceId, said: corrections, editable: abilities.correct, saving: held.saving }}
    />
  );
}

function MeaningHeading({ id }: { id: string }) {
  return (
    <Heading as="h2" size="3" mb="2" id={id}>
      {t('title')}
    </Heading>
  );
}

/** What one row is, and the time that a question means. */
function Row(about: About) {
  const { table, editable, sourceId } = about;
  const [asked, setAsked] = useState<Asked | null>(null);
  const { state } = table.rowReason;
  const key = keyText(table);
  // What was measured of the row is its key, which is said already; what was said has its own line.
  const tells = state !== '' && state !== 'said' && !(state === 'measured' && key !== '');
  return (
    <>
      <div className={styles.part}>
        <Text as="p" size="2">
          <strong>{t('row')}:</strong> {rowText(table)}
        </Text>
        {key !== '' && (
          <Text as="p" size="1" color="gray">
            {key}
          </Text>
        )}
        {tells && (
          <Text as="p" size="1" color="gray">
            <Why reason={table.rowReason} />
          </Text>
        )}
        <SaidLines {...about} said={saidOf(about, '', ({ field }) => field === 'row' || field === 'words')} />
        {editable && (
          <div className={styles.buttons}>
            <CorrectButton
              label={t('do.change')}
              name={t('do.for', { column: t('row'), action: t('do.change') })}
              onPress={() =>
                setAsked({
                  table: table.table,
                  column: '',
                  field: 'row',
                  initial: table.row,
                  label: table.name,
                })
              }
            />
          </div>
        )}
      </div>
      <Chosen
        {...about}
        field="time"
        taken={table.time}
        reason={table.timeReason}
        names={table.columns.filter(({ role }) => role === 'time').map(({ name }) => name)}
      />
      <Chosen
        {...about}
        field="main"
        taken={table.main}
        reason={table.mainReason}
        names={table.columns.filter(({ number }) => number?.adds === 'amount').map(({ name }) => name)}
      />
      {asked && <MeaningEditor sourceId={sourceId} asked={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

interface ChosenProps extends About {
  field: 'time' | 'main';
  /** The column that is taken; empty if there is none. */
  taken: string;
  reason: DeepReadonly<MeaningReason>;
  /** All columns that can be taken. */
  names: readonly string[];
}

/** The time or the number that a question means if it names none. Of several columns, each other one can be chosen. */
function Chosen({ field, taken, reason, names, ...about }: ChosenProps) {
  const { table, editable, sourceId, saving } = about;
  if (taken === '' && (field === 'main' || names.length < 2)) return null;
  const { state } = reason;
  return (
    <div className={styles.part}>
      <Text as="p" size="2">
        <strong>{t(field)}:</strong> {taken === '' ? t('time.none') : labelIn(table, taken)}
      </Text>
      {state !== '' && state !== 'said' && (
        <Text as="p" size="1" color="gray">
          <Why reason={reason} />
        </Text>
      )}
      <SaidLines {...about} said={saidOf(about, '', (said) => said.field === field)} />
      {editable && taken !== '' && (
        <div className={styles.buttons}>
          {names
            .filter((name) => name !== taken)
            .map((name) => (
              <CorrectButton
                key={name}
                label={labelIn(table, name)}
                name={t('do.for', { column: t(field), action: labelIn(table, name) })}
                disabled={saving}
                sourceId={sourceId}
                says={{ table: table.table, field, value: name }}
              />
            ))}
        </div>
      )}
    </div>
  );
}
