import { Text } from '@radix-ui/themes';
import { withInputs } from '@/lib/blueprint-message';
import { blueprints as t } from '@/messages/blueprints';
import type { BlueprintSummary } from './blueprint';
import styles from './blueprint.module.css';

type BlueprintOutlineProps = Pick<BlueprintSummary, 'inputs' | 'steps'>;

const inputRows = 2;
const stepRows = 3;

/** What a blueprint asks and does, in a few rows, of the same height for each blueprint. */
export function BlueprintOutline({ inputs, steps }: BlueprintOutlineProps) {
  return (
    <div className={styles.outline}>
      <Rows
        label={t('inputs')}
        rows={inputs.map((input) => ({ key: input.name, text: input.name, note: input.hint }))}
        limit={inputRows}
        more={t('card.inputs', { count: inputs.length - inputRows })}
      />
      <Rows
        label={t('steps')}
        ordered
        rows={steps.map((step) => ({ key: String(step.id), text: withInputs(step.name, inputs), note: '' }))}
        limit={stepRows}
        more={t('card.steps', { count: steps.length - stepRows })}
      />
    </div>
  );
}

interface RowsProps {
  label: string;
  ordered?: boolean;
  rows: readonly { key: string; text: string; note: string }[];
  limit: number;
  /** The rest in words, such as `+2 steps`. */
  more: string;
}

/** The first few of a list, one a row, and how many more there are. */
function Rows({ label, ordered = false, rows, limit, more }: RowsProps) {
  const List = ordered ? 'ol' : 'ul';
  return (
    <div className={styles.rows}>
      <div className={styles.rowsHead}>
        <Text as="span" size="1" color="gray" weight="medium">
          {label}
        </Text>
        {rows.length > limit && (
          <Text as="span" size="1" color="gray">
            {more}
          </Text>
        )}
      </div>
      {rows.length === 0 ? (
        <Text as="p" size="2" color="gray">
          {t('none')}
        </Text>
      ) : (
        <List aria-label={label}>
          {rows.slice(0, limit).map((row, index) => (
            <li key={row.key}>
              {ordered && <span className={styles.number}>{index + 1}</span>}
              <span>{row.text}</span>
              {row.note !== '' && <span className={styles.note}>{row.note}</span>}
            </li>
          ))}
        </List>
      )}
    </div>
  );
}
