import { formatNumber } from '@/lib/data-format';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type {
  Correction,
  Meaning,
  MeaningColumn,
  MeaningLink,
  MeaningReason,
  MeaningTable,
} from '@/lib/wire';
import { labelIn } from '@/lib/meaning-label';
import { meaning as t } from '@/messages/meaning';

/*
 * What the data mean, in words. The evidence of the server is written in English, the language of its answers; all
 * else is in the language of the page.
 */

type Table = DeepReadonly<MeaningTable>;
type Column = DeepReadonly<MeaningColumn>;
type Link = DeepReadonly<MeaningLink>;

/** Below this number of rows, a key says little. */
const fewRows = 50;

const together = (columns: readonly string[]): string => columns.join(' + ');

export function rowText({ row }: Table): string {
  return row === '' ? t('row.unknown') : t('row.of', { row });
}

/** Why a row is that: the first key, or that there is none. */
export function keyText(table: Table): string {
  const { keys, isKeysKnown, rows } = table;
  const [key] = keys;
  if (key === undefined) return isKeysKnown && rows > 0 ? measured(t('key.none')) : '';
  return measured(
    t(rows < fewRows ? 'key.few' : 'key', {
      columns: together(key.columns.map((name) => labelIn(table, name))),
      count: key.columns.length,
      rows: formatNumber(rows),
    }),
  );
}

const measured = (evidence: string): string => t('reason', { state: t('state.measured'), evidence });

/** The reason that matters most for a column: whether it is added up, else its role. */
export function columnReason({ number, reasons }: Column): DeepReadonly<MeaningReason> {
  const find = (name: string) => reasons.find(({ of }) => of === name);
  return (number && find('adds')) ?? find('role') ?? { state: '', evidence: '' };
}

export function columnText(column: Column, table: Table): string {
  const { role, number, yes, ordered } = column;
  if (role === 'measure' && number !== undefined) return numberText(number, table);
  const parts = [role === '' ? t('role.unknown') : t(`role.${role}`)];
  if (role === 'flag' && yes !== '') parts.push(t('yes', { value: yes }));
  if (ordered.length > 0) parts.push(t('ordered', { values: ordered.join(', ') }));
  return parts.join(', ');
}

type MeaningNumber = NonNullable<Column['number']>;

function numberText(number: MeaningNumber, table: Table): string {
  const { barriers, scale } = number;
  const parts = [unitText(number.unit, table), addsText(number, table)];
  if (scale !== 1) parts.splice(1, 0, t('scale', { scale: formatNumber(scale) }));
  // A level's period is one of its barriers, and said already.
  for (const { column } of barriers) {
    if (number.adds !== 'level' && number.adds !== 'rate')
      parts.push(t('barrier', { column: labelIn(table, column) }));
  }
  return parts.filter((part) => part !== '').join(', ');
}

function unitText({ kind, symbol, column }: MeaningNumber['unit'], table: Table): string {
  switch (kind) {
    case '':
      return '';
    case 'money':
      if (column !== '') return t('unit.money.column', { column: labelIn(table, column) });
      return symbol === '' ? t('unit.money.unknown') : t('unit.money', { symbol });
    case 'percent':
      return t('unit.percent');
    default:
      return symbol === '' ? '' : t('unit.other', { symbol });
  }
}

function addsText({ adds, default: summed, weight }: MeaningNumber, table: Table): string {
  if (adds === 'level') {
    return t(summed === 'last' || summed === 'mean_of_periods' ? `adds.level.${summed}` : 'adds.level');
  }
  if (adds === 'rate' && weight !== '') return t('adds.rate.weighted', { weight: labelIn(table, weight) });
  return t(`adds.${adds}`);
}

/** A link as `orders.customer_id → customers.id (People)`. */
export function linkText({ fromTable, from, toTable, to, other }: Link): string {
  return `${fromTable}.${together(from)} → ${toTable}.${together(to)}${other === '' ? '' : ` (${other})`}`;
}

/** What a person can say with one press. */
export interface Offer {
  label: string;
  field: Correction['field'];
  value: string;
}

const offer = (label: Parameters<typeof t>[0], field: Offer['field'], value: string): Offer => ({
  label: t(label),
  field,
  value,
});

/** What can be said against a column, and that it is right if it was only assumed. At most three. */
export function offersOf(column: Column): Offer[] {
  const { role, number } = column;
  const offers: Offer[] = [];
  if (role === 'measure' && number !== undefined) {
    const { adds } = number;
    if (columnReason(column).state === 'inferred' && adds !== 'unknown')
      offers.push(offer('do.right', 'adds', adds));
    if (adds === 'level') {
      offers.push(offer('do.amount', 'adds', 'amount'));
      offers.push(
        number.default === 'mean_of_periods'
          ? offer('do.last', 'default', 'last')
          : offer('do.mean', 'default', 'mean_of_periods'),
      );
    }
    if (adds === 'amount') offers.push(offer('do.level', 'adds', 'level'), offer('do.rate', 'adds', 'rate'));
    if (adds === 'rate') offers.push(offer('do.amount', 'adds', 'amount'));
    if (adds === 'unknown') offers.push(...answersOf());
    return offers;
  }
  if ((column.type === 'integer' || column.type === 'number') && role !== 'key' && role !== 'foreign') {
    offers.push(offer('do.measure', 'role', 'measure'));
  }
  return offers;
}

const answersOf = (): Offer[] => [
  offer('answer.amount', 'adds', 'amount'),
  offer('answer.rate', 'adds', 'rate'),
  offer('answer.dimension', 'role', 'dimension'),
];

/** A question that the assistant would have to ask. */
export interface Question {
  table: string;
  /** Empty for a question about the whole table. */
  column: string;
  text: string;
  answers: Offer[];
}

/** The maximum number of questions of a connector. */
const questionsMax = 5;

/**
 * What nothing says. Columns with more values come first: they can answer more. In a table with periods, a level is an
 * answer, too.
 */
export function questionsOf({ tables }: DeepReadonly<Meaning>): Question[] {
  const found = tables.flatMap((table) => {
    const unknown = table.columns
      .filter(({ role, number }) => role === 'measure' && number?.adds === 'unknown')
      .sort((a, b) => a.missing - b.missing)
      .map(({ name }): Question => {
        const [sum, mean, neither] = answersOf();
        const level = table.snapshot === undefined ? [] : [offer('answer.level', 'adds', 'level')];
        return {
          table: table.table,
          column: name,
          text: t('question.adds', { column: labelIn(table, name) }),
          answers: [sum, mean, ...level, neither].filter((answer) => answer !== undefined),
        };
      });
    const times = table.columns.filter(({ role }) => role === 'time');
    if (table.time !== '' || times.length < 2) return unknown;
    const time: Question = {
      table: table.table,
      column: '',
      text: t('question.time'),
      answers: times.map(({ name }) => ({ label: labelIn(table, name), field: 'time', value: name })),
    };
    return [time, ...unknown];
  });
  return found.slice(0, questionsMax);
}

/** The value of a correction about a link, before the sign. */
export function linkEnd({ fromSource, toSource, toTable, from, to }: Link): string {
  const columns = to.length === 1 ? to.join('') : JSON.stringify(from.map((name, at) => [name, to[at]]));
  const end = `${toTable}.${columns}`;
  return fromSource === toSource ? end : `s${toSource}.${end}`;
}

/** Names a connector; empty if it is not known. */
type NameOf = (id: number) => string;

/** The end of a link as people read it: the pairs of several columns as `customers.country + no`, then the connector. */
function endText(value: string, nameOf: NameOf): string {
  const [, id, far] = /^s(\d+)\.(.+)$/su.exec(value) ?? [];
  const name = id === undefined ? '' : nameOf(Number(id));
  return name === '' || far === undefined ? columnsText(value) : `${columnsText(far)} (${name})`;
}

function columnsText(end: string): string {
  const [, table, list] = /^(.+?)\.(\[\[".+\]\])$/su.exec(end) ?? [];
  if (table === undefined || list === undefined) return end;
  try {
    return `${table}.${together((JSON.parse(list) as string[][]).map(([, to]) => String(to)))}`;
  } catch {
    return end; // a name may look like a list
  }
}

/** What a correction says, such as “it is a level”. */
export function saidText(
  { field, value }: Readonly<Pick<Correction, 'field' | 'value'>>,
  nameOf: NameOf = () => '',
): string {
  switch (field) {
    case 'adds':
      return t(`said.adds.${value as 'amount'}`);
    case 'default':
      return t(`said.default.${value as 'last'}`);
    case 'role':
      return t('said.role', { value: t(`role.${value as 'key'}`) });
    case 'unit':
      return value === '-' ? t('said.unit.none') : t('said.unit', { value });
    case 'link':
      if (value.startsWith('-')) return t('said.link.not', { value: endText(value.slice(1), nameOf) });
      if (value.startsWith('!')) return t('said.link.preferred', { value: endText(value.slice(1), nameOf) });
      return t('said.link', { value: endText(value, nameOf) });
    default:
      return t(`said.${field}`, { value });
  }
}
