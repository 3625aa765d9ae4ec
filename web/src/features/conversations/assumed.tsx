import { Button, Link, Text } from '@radix-ui/themes';
import { useEffect } from 'react';
import { Link as RouterLink } from 'react-router';
import { useSnapshot } from 'valtio';
import type { Assumption, Statement } from '@/components/transcript/message';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { labelIn } from '@/lib/meaning-label';
import { paths } from '@/lib/paths';
import type { Meaning } from '@/lib/wire';
import { meaning as t } from '@/messages/meaning';
import { correctAtOnce, loadMeaning, meaningState } from '@/stores/meaning-store';
import styles from './assumed.module.css';

interface AssumedProps {
  assumptions: readonly Assumption[];
  /** Asks the question again. Left out if it cannot be asked now. */
  onAgain?: (() => void) | undefined;
}

/** What an answer took of the data although nobody said so. People who may change the connector correct it here. */
export function Assumed({ assumptions, onAgain }: AssumedProps) {
  return (
    <ul className={styles.assumed} aria-label={t('assumed')}>
      {assumptions.map((assumption) => (
        <Line
          key={`${assumption.source} ${assumption.table} ${assumption.column ?? ''} ${assumption.taken.field}`}
          {...{ assumption, onAgain }}
        />
      ))}
    </ul>
  );
}

interface LineProps extends Pick<AssumedProps, 'onAgain'> {
  assumption: Assumption;
}

function Line({ assumption, onAgain }: LineProps) {
  const { source, table, column = '', taken, others } = assumption;
  const held = useSnapshot(meaningState).byId[source];
  const unknown = held === undefined;
  useEffect(() => {
    if (unknown) void loadMeaning(source);
  }, [source, unknown]);
  const known = held?.meaning ?? null;
  const said = known !== null && isSaid(known, assumption);
  const editable = known?.abilities.correct === true;
  const meant = known?.tables.find((one) => one.table === table);
  const write = (name: string): string => labelIn(meant, name);
  const text = takenText(assumption, write);
  const say = (statement: Statement): void => void correctAtOnce(source, { table, column, ...statement });
  return (
    <li>
      <Text size="2" color="gray">
        {text}
      </Text>
      {said && (
        <>
          <Text size="2" role="status">
            {t('assumed.said')}
          </Text>
          {onAgain !== undefined && (
            <Button size="1" variant="soft" onClick={onAgain}>
              {t('assumed.again')}
            </Button>
          )}
          <Link asChild size="1">
            <RouterLink to={paths.dataSource(source)}>{t('assumed.page')}</RouterLink>
          </Link>
        </>
      )}
      {!said &&
        editable &&
        others.map((other) => (
          <Say
            key={`${other.field} ${other.value}`}
            label={otherText(other, assumption, write)}
            name={otherText(other, assumption, write)}
            {...{ text }}
            disabled={held?.saving === true}
            onPress={() => say(other)}
          />
        ))}
      {!said && editable && (
        <Say
          label={t('assumed.do.always')}
          name={t('assumed.do.always.name')}
          {...{ text }}
          disabled={held?.saving === true}
          onPress={() => say(taken)}
        />
      )}
    </li>
  );
}

interface SayProps {
  label: string;
  name: string;
  /** What the button is about, for screen readers. */
  text: string;
  disabled: boolean;
  onPress: () => void;
}

function Say({ label, name, text, disabled, onPress }: SayProps) {
  return (
    <Button
      size="1"
      variant="soft"
      color="gray"
      // The name begins with what is seen, so that it can be spoken.
      aria-label={`${name} (${text})`}
      disabled={disabled}
      onClick={onPress}
    >
      {label}
    </Button>
  );
}

/** Whether a correction stands about what the answer took: it was made after the answer. */
function isSaid(meaning: DeepReadonly<Meaning>, { table, column = '', taken, others }: Assumption): boolean {
  return meaning.corrections.some(
    (said) =>
      !said.rests &&
      said.table === table &&
      said.column === column &&
      [taken, ...others].some(({ field, value }) => said.field === field && said.value === value),
  );
}

/** A period that is none of the usual ones has the general word. */
const stepOf = ({ step }: Assumption): string => step ?? '';

/** How people write a column. */
type Write = (name: string) => string;

function takenText(assumption: Assumption, write: Write): string {
  const { taken } = assumption;
  const column = write(assumption.column ?? '');
  const step = stepOf(assumption);
  switch (taken.field) {
    case 'default':
      return t('assumed.last', { column, step });
    case 'time':
      return t('assumed.time', { column: write(taken.value) });
    case 'main':
      return t('assumed.main', { column: write(taken.value) });
    default:
      return t(taken.value === 'amount' ? 'assumed.added' : 'assumed.rate', { column });
  }
}

function otherText({ field, value }: Statement, assumption: Assumption, write: Write): string {
  switch (field) {
    case 'default':
      return t('assumed.do.mean', { step: stepOf(assumption) });
    case 'time':
    case 'main':
      return t('assumed.do.time', { column: write(value) });
    default:
      return t(
        value === 'amount' ? 'assumed.do.amount' : value === 'level' ? 'assumed.do.level' : 'assumed.do.rate',
      );
  }
}
