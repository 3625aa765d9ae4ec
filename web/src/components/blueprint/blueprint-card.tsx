import { Badge, Text } from '@radix-ui/themes';
import { ListChecks } from 'lucide-react';
import type { ReactNode } from 'react';
import { FavoriteStar } from '@/components/favorite/favorite-star';
import { withInputNames } from '@/lib/blueprint';
import { blueprints as t } from '@/messages/blueprints';
import styles from './blueprint.module.css';

/** What a card shows of a blueprint. */
export interface BlueprintSummary {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly owner: { readonly fullName: string } | null;
  readonly isLibrary: boolean;
  readonly isFavorite: boolean;
  readonly inputs: readonly { readonly name: string; readonly hint: string }[];
  readonly steps: readonly { readonly id: number; readonly name: string }[];
  readonly dataSources: readonly number[];
  readonly missingDataSources: number;
  readonly updatedAt: string;
  readonly abilities: { readonly start: boolean };
}

/** What can be done with a blueprint in a list. */
export interface BlueprintActions {
  onStart: (id: number) => void;
  onFavorite: (id: number, isFavorite: boolean) => void;
  /** What else can be done with it, such as a menu. */
  menu?: ((id: number) => ReactNode) | undefined;
}

interface BlueprintCardProps extends BlueprintActions {
  blueprint: BlueprintSummary;
  /** The library has no owners to name. */
  showOwner?: boolean | undefined;
}

const inputRows = 2;
const stepRows = 3;

/** A blueprint: what it is for, what it needs, what it does. Its whole surface starts it. */
export function BlueprintCard({
  blueprint,
  showOwner = true,
  onStart,
  onFavorite,
  menu,
}: BlueprintCardProps) {
  const { id, name, description, inputs, steps, isFavorite, isLibrary, owner, abilities } = blueprint;
  return (
    <article className={styles.card} aria-label={name}>
      <header className={styles.head}>
        <span className={styles.icon} aria-hidden="true">
          <ListChecks size={18} />
        </span>
        <span className={styles.title}>
          <button
            type="button"
            className={styles.name}
            disabled={!abilities.start}
            title={name}
            onClick={() => onStart(id)}
          >
            {name}
          </button>
          {showOwner && (
            <Text as="div" size="1" color="gray" truncate>
              {isLibrary ? <Badge variant="soft">{t('library.one')}</Badge> : owner?.fullName}
            </Text>
          )}
        </span>
        <span className={styles.star}>
          <FavoriteStar name={name} isFavorite={isFavorite} onChange={(to) => onFavorite(id, to)} />
          {menu?.(id)}
        </span>
      </header>
      <Text as="p" size="2" color="gray" className={styles.clamp ?? ''}>
        {description}
      </Text>
      {inputs.length > 0 && (
        <Rows
          label={t('inputs')}
          rows={inputs.map((input) => ({ key: input.name, text: input.name, note: input.hint }))}
          limit={inputRows}
          more={t('card.inputs', { count: inputs.length - inputRows })}
        />
      )}
      <Rows
        label={t('steps')}
        ordered
        rows={steps.map((step) => ({ key: String(step.id), text: withInputNames(step.name), note: '' }))}
        limit={stepRows}
        more={t('card.steps', { count: steps.length - stepRows })}
      />
    </article>
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
      <Text as="div" size="1" color="gray" weight="medium">
        {label}
      </Text>
      <List aria-label={label}>
        {rows.slice(0, limit).map((row, index) => (
          <li key={row.key}>
            {ordered && <span className={styles.number}>{index + 1}</span>}
            <span>{row.text}</span>
            {row.note !== '' && <span className={styles.note}>{row.note}</span>}
          </li>
        ))}
      </List>
      {rows.length > limit && (
        <Text as="div" size="1" color="gray">
          {more}
        </Text>
      )}
    </div>
  );
}
