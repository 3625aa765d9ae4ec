import { Text } from '@radix-ui/themes';
import { useSnapshot } from 'valtio';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { formatDay } from '@/lib/format';
import { labelIn } from '@/lib/meaning-label';
import type { Correction, MeaningTable } from '@/lib/wire';
import { meaning as t } from '@/messages/meaning';
import { dataSources } from '@/stores/datasources-store/sources';
import { takeBack } from '@/stores/meaning-store';
import { CorrectButton } from './correct';
import { saidText } from './meaning-words';
import styles from './meaning.module.css';

interface SaidLinesProps {
  sourceId: number;
  said: readonly DeepReadonly<Correction>[];
  editable: boolean;
  saving: boolean;
  /** The table that they are about, which knows how people write its columns. Left out if it may not have them. */
  table?: DeepReadonly<MeaningTable> | undefined;
}

/** Corrections with who made them and when, each of which can be taken back. */
export function SaidLines({ sourceId, said, editable, saving, table: about }: SaidLinesProps) {
  const sources = useSnapshot(dataSources.state).byId;
  const write = (name: string): string => (about === undefined ? name : labelIn(about, name));
  return said.map((correction) => {
    const { id, byName, at, reason, column, table, field, value } = correction;
    const namesColumn = field === 'main' || field === 'time';
    const what = saidText(
      { field, value: namesColumn ? write(value) : value },
      (source) => sources[source]?.name ?? '',
    );
    const text = t('said', { name: byName, day: formatDay(at), what });
    return (
      <div key={id} className={styles.said}>
        <Text as="p" size="1">
          {text}
          {reason !== '' && ` (${reason})`}
        </Text>
        {editable && (
          <CorrectButton
            label={t('do.back')}
            name={t('do.for', {
              column: `${column === '' ? table : write(column)}: ${what}`,
              action: t('do.back'),
            })}
            disabled={saving}
            onPress={() => void takeBack(sourceId, id)}
          />
        )}
      </div>
    );
  });
}

/** The corrections that the present file has nothing for. */
export function RestingCorrections(props: SaidLinesProps) {
  const resting = props.said.filter(({ rests }) => rests);
  if (resting.length === 0) return null;
  return (
    <div className={styles.part}>
      <Text as="p" size="2" weight="medium">
        {t('rests')}
      </Text>
      <Text as="p" size="1" color="gray">
        {t('rests.text')}
      </Text>
      {resting.map((correction) => (
        <div key={correction.id}>
          <Text as="p" size="1" weight="medium" mt="2">
            {correction.column === '' ? correction.table : `${correction.table}.${correction.column}`}
          </Text>
          <SaidLines {...props} said={[correction]} />
        </div>
      ))}
    </div>
  );
}
