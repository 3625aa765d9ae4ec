import { Button, Heading, Text } from '@radix-ui/themes';
import { useState } from 'react';
import { Menu } from '@/components/menu/menu';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { labelIn } from '@/lib/meaning-label';
import type { MeaningColumn } from '@/lib/wire';
import { meaning as t } from '@/messages/meaning';
import { correctAtOnce } from '@/stores/meaning-store';
import { CorrectButton, MeaningEditor, type Asked } from './correct';
import { LinkDialog } from './link-dialog';
import { saidOf, type About } from './meaning-about';
import { columnReason, columnText, offersOf } from './meaning-words';
import { SaidLines } from './said-lines';
import { Why } from './why';
import styles from './meaning.module.css';

/** So many columns are shown at once. */
const shownAtFirst = 12;

/** What each column means and why. */
export function MeaningColumns(about: About) {
  const { columns } = about.table;
  const [all, setAll] = useState(false);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [linked, setLinked] = useState<string | null>(null);
  const shown = all ? columns : columns.slice(0, shownAtFirst);
  return (
    <>
      <Heading as="h3" size="2" mt="4" mb="1">
        {t('columns')}
      </Heading>
      <ul className={styles.columns}>
        {shown.map((column) => (
          <Column key={column.name} {...{ about, column }} onAsk={setAsked} onLink={setLinked} />
        ))}
      </ul>
      {shown.length < columns.length && (
        <Button size="1" variant="ghost" mt="2" onClick={() => setAll(true)}>
          {t('columns.all', { count: columns.length })}
        </Button>
      )}
      {asked && <MeaningEditor sourceId={about.sourceId} asked={asked} onClose={() => setAsked(null)} />}
      {linked !== null && (
        <LinkDialog
          sourceId={about.sourceId}
          table={about.table.table}
          column={linked}
          label={labelIn(about.table, linked)}
          onClose={() => setLinked(null)}
        />
      )}
    </>
  );
}

interface ColumnProps {
  about: About;
  column: DeepReadonly<MeaningColumn>;
  onAsk: (asked: Asked) => void;
  onLink: (column: string) => void;
}

function Column({ about, column, onAsk, onLink }: ColumnProps) {
  const { name, words, verbs } = column;
  const why = columnReason(column);
  const said = saidOf(about, name);
  return (
    <li>
      <Text as="p" size="2">
        <strong>{labelIn(about.table, name)}</strong>: {columnText(column, about.table)}
      </Text>
      {why.state !== '' && why.state !== 'said' && (
        <Text as="p" size="1" color="gray">
          <Why reason={why} />
        </Text>
      )}
      {words.length > 0 && (
        <Text as="p" size="1" color="gray">
          {t('words', { words: words.join(', ') })}
        </Text>
      )}
      {verbs.length > 0 && (
        <Text as="p" size="1" color="gray">
          {t('verbs', { words: verbs.join(', ') })}
        </Text>
      )}
      <SaidLines {...about} said={said} />
      {about.editable && <Offers {...{ about, column, onAsk, onLink }} />}
    </li>
  );
}

/** The buttons of a column, and a menu of what is said less often. */
function Offers({ about: { sourceId, table, saving }, column, onAsk, onLink }: ColumnProps) {
  const { name, number, role, type } = column;
  const label = labelIn(table, name);
  const ask = (field: Asked['field'], initial = ''): void =>
    onAsk({ table: table.table, column: name, field, initial, label });
  const sayRole = (value: 'dimension' | 'text'): void =>
    void correctAtOnce(sourceId, { table: table.table, column: name, field: 'role', value });
  const named = (action: string): string => t('do.for', { column: label, action });
  return (
    <div className={styles.buttons}>
      {offersOf(column).map(({ label: action, field, value }) => (
        <CorrectButton
          key={`${field} ${value}`}
          label={action}
          name={named(action)}
          disabled={saving}
          sourceId={sourceId}
          says={{ table: table.table, column: name, field, value }}
        />
      ))}
      <Menu
        trigger={
          <Button size="1" variant="ghost" color="gray" aria-label={named(t('do.more'))} disabled={saving}>
            {t('do.more')}
          </Button>
        }
      >
        {({ Item }) => (
          <>
            <Item onSelect={() => ask('words')}>{t('do.words')}</Item>
            {(role === 'flag' || role === 'time') && (
              <Item onSelect={() => ask('verbs')}>{t('do.verbs')}</Item>
            )}
            <Item onSelect={() => onLink(name)}>{t('do.link')}</Item>
            {type === 'text' && role !== 'dimension' && (
              <Item onSelect={() => sayRole('dimension')}>{t('do.category')}</Item>
            )}
            {type === 'text' && role !== 'text' && (
              <Item onSelect={() => sayRole('text')}>{t('do.text')}</Item>
            )}
            {number !== undefined && (
              <>
                <Item onSelect={() => sayRole('dimension')}>{t('do.dimension')}</Item>
                <Item onSelect={() => ask('unit', number.unit.symbol)}>{t('do.unit')}</Item>
                <Item onSelect={() => ask('scale', String(number.scale))}>{t('do.scale')}</Item>
              </>
            )}
          </>
        )}
      </Menu>
    </div>
  );
}
