import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import type { CorrectionRequest, Meaning } from '@/lib/wire';
import { loadDataSources, resetDataSources } from '@/stores/datasources-store/sources';
import { loadMeaning, resetMeaning } from '@/stores/meaning-store';
import { blank } from '@/testing/fixtures/blank';
import {
  correctionOf,
  dataSourceOf,
  meaningColumnOf,
  meaningOf,
  meaningTableOf,
} from '@/testing/fixtures/wire';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { saidText } from './meaning-words';
import { Resting, SourceMeaning } from './source-meaning';

const level = meaningColumnOf('mrr', {
  label: 'MRR',
  number: {
    ...blank('MeaningNumber'),
    adds: 'level',
    default: 'last',
    scale: 1,
    unit: { kind: 'money', symbol: 'USD', column: '' },
  },
  reasons: [
    { of: 'adds', state: 'measured', evidence: 'mrr minus the month before is mrr_change in all rows' },
  ],
  words: ['revenue'],
});
const guessed = meaningColumnOf('active_users', {
  label: 'Active users',
  number: { ...blank('MeaningNumber'), adds: 'level', default: 'last', scale: 1 },
  reasons: [{ of: 'adds', state: 'inferred', evidence: '' }],
});
const unknown = meaningColumnOf('score', {
  number: { ...blank('MeaningNumber'), adds: 'unknown', default: 'ask', scale: 1 },
});
const flag = meaningColumnOf('churned', {
  type: 'boolean',
  role: 'flag',
  yes: 'true',
  verbs: ['churned', 'left'],
});
const table = meaningTableOf({
  row: 'account in a month',
  rowReason: { state: 'measured', evidence: 'account_id and month together are unique in all 18597 rows.' },
  snapshot: { ...blank('MeaningSnapshot'), period: 'month', step: 'month' },
  keys: [{ columns: ['account_id', 'month'] }],
  isKeysKnown: true,
  time: 'month',
  timeReason: { state: 'measured', evidence: 'It is the period.' },
  columns: [level, guessed, unknown, flag],
});
const link = {
  ...blank('MeaningLink'),
  fromSource: 1,
  fromTable: 'orders',
  from: ['customer_id'],
  toSource: 1,
  toTable: 'customers',
  to: ['id'],
  cardinality: 'many_to_one',
  distinct: 1200,
  matched: 1188,
  orphans: 12,
} as const;

/** What the server holds, and the requests that it got. */
let held: Meaning;
let said: CorrectionRequest[];
let withdrawn: string[];
/** Why the server refuses a correction; empty if it does not. */
let refusal: string;

beforeEach(() => {
  resetMeaning();
  vi.spyOn(notify, 'error').mockReturnValue();
  vi.spyOn(notify, 'success').mockReturnValue();
  held = meaningOf({ tables: [table], links: [{ ...link, from: ['customer_id'], to: ['id'] }] });
  said = [];
  withdrawn = [];
  refusal = '';
  server.use(
    http.get(api('memory/datasources/1/meaning'), () => HttpResponse.json(held)),
    http.post(api('memory/datasources/1/corrections'), async ({ request }) => {
      if (refusal !== '') return problem(422, 'invalid', refusal);
      said.push((await request.json()) as CorrectionRequest);
      return HttpResponse.json(correctionOf(), { status: 201 });
    }),
    http.delete(api('memory/datasources/1/corrections'), ({ request }) => {
      withdrawn.push(new URL(request.url).searchParams.get('correction') ?? '');
      return new HttpResponse(null, { status: 204 });
    }),
  );
});

async function open() {
  const rendered = renderAt('/', {
    '/': (
      <>
        <SourceMeaning sourceId={1} tableId={7} />
        <Resting sourceId={1} />
      </>
    ),
  });
  await loadMeaning(1);
  return rendered;
}

describe('what the data mean', () => {
  it('says what a row is, what each column is and why, and which links stand', async () => {
    await open();
    for (const text of [
      /What one row is: one account in a month/u,
      'Measured: Account ID + Month together are unique in 18,597 of 18,597 rows',
      /^MRR: money in USD, a level, which is never added up over time; over a longer time the last period is taken$/u,
      'Measured: mrr minus the month before is mrr_change in all rows',
      'Also called: revenue',
      /^churned: yes or no, true means yes$/u,
      'Meant by: churned, left',
      'orders.customer_id → customers.id',
      /1,188 of 1,200 values are there\. 12 rows name a value that is not there/u,
    ]) {
      expect(await screen.findByText((_, element) => matches(element, text))).toBeVisible();
    }
  });

  it('calls nothing a key in words that few rows prove, and says that rows repeat', async () => {
    held = meaningOf({ tables: [{ ...table, rows: 5 }] });
    const { unmount } = await open();
    expect(await screen.findByText(/are unique in these 5 rows/u)).toBeVisible();
    unmount();
    held = meaningOf({ tables: [{ ...table, keys: [] }] });
    await open();
    expect(await screen.findByText(/rows repeat in every combination of columns/u)).toBeVisible();
  });

  it('says once what was measured of a row, and whatever else says what it is', async () => {
    const { unmount } = await open();
    await screen.findByText(/are unique in 18,597/u);
    expect(screen.queryByText(/unique in all 18597/u)).toBeNull();
    unmount();
    held = meaningOf({
      tables: [{ ...table, rowReason: { state: 'documented', evidence: 'one row per account and month' } }],
    });
    await open();
    const evidence = await screen.findByText('one row per account and month');
    expect(evidence).toHaveAttribute('lang', 'en');
    expect(evidence.parentElement).toHaveTextContent('From the description: one row per account and month');
  });

  it('shows twelve columns at first', async () => {
    const columns = Array.from({ length: 30 }, (_, i) => meaningColumnOf(`n${i}`));
    held = meaningOf({ tables: [{ ...table, columns }] });
    const { user } = await open();
    await screen.findByText((_, element) => matches(element, /^n11: /u));
    expect(screen.queryByText((_, element) => matches(element, /^n12: /u))).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Show all 30 columns' }));
    expect(screen.getByText((_, element) => matches(element, /^n29: /u))).toBeVisible();
  });

  it('waits, says that it failed, and tries again', async () => {
    server.use(http.get(api('memory/datasources/1/meaning'), () => problem(503, 'x', 'x')));
    const rendered = renderAt('/', { '/': <SourceMeaning sourceId={1} tableId={7} /> });
    expect(screen.getByRole('status', { name: 'Reading what the data mean' })).toBeVisible();
    await loadMeaning(1);
    expect(await screen.findByText('What the data mean could not be loaded.')).toBeVisible();
    server.use(http.get(api('memory/datasources/1/meaning'), () => HttpResponse.json(held)));
    await rendered.user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText(/What one row is/u)).toBeVisible();
  });

  it('says that the file is still being measured', async () => {
    held = meaningOf({ measured: false, tables: [table] });
    await open();
    expect(await screen.findByText(/still being measured/u)).toBeVisible();
  });

  it('has no buttons for people who may not edit', async () => {
    held = meaningOf({ tables: [table], corrections: [correctionOf()], abilities: { correct: false } });
    await open();
    expect(await screen.findByText(/Ben Baker on Nov 20, 2026: it may be added up/u)).toBeVisible();
    expect(screen.getByText('Is score to be added up or averaged?')).toBeVisible();
    expect(screen.queryAllByRole('button')).toEqual([]);
  });
});

describe('a correction', () => {
  it.each([
    ['MRR: It may be added up', { column: 'mrr', field: 'adds', value: 'amount' }],
    ['MRR: Take the mean of the periods', { column: 'mrr', field: 'default', value: 'mean_of_periods' }],
    ['Active users: Right', { column: 'active_users', field: 'adds', value: 'level' }],
    ['Is score to be added up or averaged? Average', { column: 'score', field: 'adds', value: 'rate' }],
    ['Is score to be added up or averaged? Neither', { column: 'score', field: 'role', value: 'dimension' }],
    [
      'Is score to be added up or averaged? Take the last period',
      { column: 'score', field: 'adds', value: 'level' },
    ],
    [
      'orders.customer_id → customers.id: Not a link',
      { column: 'customer_id', field: 'link', value: '-customers.id' },
    ],
  ])('is one press: %s', async (name, correction) => {
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name }));
    await waitFor(() => expect(said).toEqual([{ table: 'orders', ...correction }]));
    await waitFor(() =>
      expect(notify.success).toHaveBeenCalledWith('Corrected. It applies from the next question on.'),
    );
  });

  describe('of a link that is missing', () => {
    const remark = meaningColumnOf('buyer', { label: 'Buyer', type: 'text', role: 'text' });
    const customers = meaningTableOf({
      id: 8,
      table: 'customers',
      name: 'customers',
      columns: [meaningColumnOf('id', {})],
    });
    const contacts = meaningTableOf({ id: 12, table: 'contacts', columns: [meaningColumnOf('key', {})] });

    beforeEach(() => {
      resetDataSources();
      held = meaningOf({ tables: [{ ...table, columns: [remark] }, customers], links: [] });
      const sources = [
        dataSourceOf({ id: 1, name: 'Orders' }),
        dataSourceOf({ id: 9, name: 'People' }),
        dataSourceOf({ id: 10, name: 'Warehouse', hasFile: false }),
      ];
      server.use(
        http.get(api('memory/datasources'), () => page(sources)),
        http.get(api('memory/datasources/9/meaning'), () =>
          HttpResponse.json(meaningOf({ tables: [contacts] })),
        ),
      );
    });

    async function openDialog() {
      await loadDataSources();
      const { user } = await open();
      await user.click(await screen.findByRole('button', { name: 'Buyer: More' }));
      await user.click(await screen.findByRole('menuitem', { name: 'Add a link…' }));
      const dialog = await screen.findByRole('dialog', { name: 'Column to which Buyer leads' });
      return { user, field: (name: string) => within(dialog).getByRole('combobox', { name }), dialog };
    }

    it('leads to a column of another table, and to nothing else', async () => {
      const { user, field, dialog } = await openDialog();
      await user.click(within(dialog).getByRole('button', { name: 'Save' }));
      expect(await within(dialog).findByText('Choose the column.')).toBeVisible();
      await user.click(field('Column'));
      expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual([
        'idcustomers',
      ]);
      await user.click(screen.getByRole('option'));
      await user.click(within(dialog).getByRole('button', { name: 'Save' }));
      await waitFor(() =>
        expect(said).toEqual([
          { table: 'orders', column: 'buyer', field: 'link', value: 'customers.id', reason: '' },
        ]),
      );
    });

    it('leads to another connector that is a file', async () => {
      const { user, field, dialog } = await openDialog();
      await user.click(field('Connector'));
      expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual([
        'This connector',
        'People',
      ]);
      await user.click(screen.getByRole('option', { name: 'People' }));
      await user.click(field('Column'));
      await user.click(await screen.findByRole('option', { name: /key/u }));
      await user.click(within(dialog).getByRole('button', { name: 'Save' }));
      await waitFor(() => expect(said.map(({ value }) => value)).toEqual(['s9.contacts.key']));
    });

    it('names the other connector where it was said', async () => {
      held.corrections = [
        correctionOf({ column: 'buyer', field: 'link', value: 's9.contacts.key', reason: '' }),
      ];
      await loadDataSources();
      await open();
      expect(await screen.findByText(/it links to contacts\.key \(People\)$/u)).toBeVisible();
    });
  });

  it.each([
    ['text', 'It is a category', 'dimension'],
    ['dimension', 'It is free text', 'text'],
  ] as const)('changes the role of a text that is %s', async (role, name, value) => {
    held = meaningOf({
      tables: [{ ...table, columns: [meaningColumnOf('note', { label: 'Note', type: 'text', role })] }],
    });
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Note: More' }));
    await user.click(await screen.findByRole('menuitem', { name }));
    await waitFor(() => expect(said).toEqual([{ table: 'orders', column: 'note', field: 'role', value }]));
  });

  it('that a number is none is in the menu of its column', async () => {
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'MRR: More' }));
    await user.click(await screen.findByRole('menuitem', { name: 'It is not a number' }));
    await waitFor(() =>
      expect(said).toEqual([{ table: 'orders', column: 'mrr', field: 'role', value: 'dimension' }]),
    );
  });

  it('of a link to another connector names it', async () => {
    held = meaningOf({
      tables: [table],
      links: [{ ...link, from: ['customer_id'], to: ['id'], toSource: 9 }],
    });
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: /Prefer this link$/u }));
    await waitFor(() => expect(said[0]?.value).toBe('!s9.customers.id'));
  });

  it('of a link of several columns names all of them, and reads them again', async () => {
    held = meaningOf({
      tables: [table],
      links: [{ ...link, from: ['customer_id', 'region'], to: ['id', 'area'] }],
    });
    const { user } = await open();
    await user.click(
      await screen.findByRole('button', {
        name: 'orders.customer_id + region → customers.id + area: Not a link',
      }),
    );
    const value = '-customers.[["customer_id","id"],["region","area"]]';
    await waitFor(() =>
      expect(said).toEqual([{ table: 'orders', column: 'customer_id', field: 'link', value }]),
    );
    expect(saidText({ field: 'link', value })).toBe(
      saidText({ field: 'link', value: '-customers.id + area' }),
    );
    expect(saidText({ field: 'link', value: 'customers.[["a' })).toContain('customers.[["a');
  });

  it('is typed with a reason, and what the server says against it is shown', async () => {
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'MRR: More' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Unit…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Unit of MRR' });
    const value = within(dialog).getByRole('textbox', { name: 'Unit of MRR' });
    expect(value).toHaveValue('USD');
    await user.clear(value);
    expect(within(dialog).getByRole('button', { name: 'Save' })).toBeDisabled();
    await user.type(value, 'EUR');
    await user.type(within(dialog).getByRole('textbox', { name: 'Reason (optional)' }), 'Since 2025');
    refusal = 'It does not fit';
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(within(dialog).getByRole('alert')).toHaveTextContent('It does not fit'));
    refusal = '';
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(said).toEqual([
      { table: 'orders', column: 'mrr', field: 'unit', value: 'EUR', reason: 'Since 2025' },
    ]);
  });

  it('that the server refuses is told', async () => {
    const { user } = await open();
    refusal = 'At most 500';
    await user.click(await screen.findByRole('button', { name: 'MRR: It may be added up' }));
    await waitFor(() => expect(notify.error).toHaveBeenCalledWith('It could not be corrected: At most 500'));
  });

  it('says who made it and when, and is taken back', async () => {
    held = meaningOf({ tables: [table], corrections: [correctionOf({ reason: 'a flow' })] });
    const { user } = await open();
    expect(await screen.findByText('Ben Baker on Nov 20, 2026: it may be added up (a flow)')).toBeVisible();
    held = meaningOf({ tables: [table] });
    await user.click(screen.getByRole('button', { name: 'MRR: it may be added up: Take back' }));
    await waitFor(() => expect(screen.queryByText(/Ben Baker/u)).toBeNull());
    expect(withdrawn).toEqual(['5']);
    expect(notify.success).toHaveBeenCalledWith('Taken back');
  });

  it('chooses the number of a question that names none, and is taken back', async () => {
    const amount = (name: string, label: string) =>
      meaningColumnOf(name, {
        label,
        number: { ...blank('MeaningNumber'), adds: 'amount', default: 'sum', scale: 1 },
      });
    const orders = meaningTableOf({
      ...table,
      main: 'net_sales',
      mainReason: { state: 'inferred', evidence: 'Of its amounts of money it has the largest values.' },
      columns: [amount('net_sales', 'Net sales'), amount('cost', 'Cost'), level],
    });
    held = meaningOf({ tables: [orders] });
    const { user } = await open();
    expect(
      await screen.findByText((_, element) =>
        matches(element, 'The number for questions that name none: Net sales'),
      ),
    ).toBeVisible();
    const name = 'The number for questions that name none';
    expect(screen.queryByRole('button', { name: `${name}: MRR` })).toBeNull();
    held = meaningOf({
      tables: [{ ...orders, main: 'cost', mainReason: { state: 'said', evidence: '' } }],
      corrections: [correctionOf({ column: '', field: 'main', value: 'cost', reason: '' })],
    });
    await user.click(screen.getByRole('button', { name: `${name}: Cost` }));
    await waitFor(() => expect(said).toEqual([{ table: 'orders', field: 'main', value: 'cost' }]));
    expect(await screen.findByText('Ben Baker on Nov 20, 2026: the main number is Cost')).toBeVisible();
    held = meaningOf({ tables: [orders] });
    await user.click(screen.getByRole('button', { name: /the main number is Cost: Take back$/u }));
    await waitFor(() => expect(withdrawn).toEqual(['5']));
    expect(screen.queryByText(/Ben Baker/u)).toBeNull();
  });

  it('rests while its column is gone', async () => {
    held = meaningOf({ tables: [table], corrections: [correctionOf({ column: 'gone', rests: true })] });
    await open();
    expect(await screen.findByText('Corrections not in use')).toBeVisible();
    expect(screen.getByText('orders.gone')).toBeVisible();
    expect(screen.getByRole('button', { name: 'gone: it may be added up: Take back' })).toBeEnabled();
  });
});

/** Whether an element of its own has this text, with those of the elements in it. */
function matches(element: Element | null, text: RegExp | string): boolean {
  if (element?.tagName !== 'P') return false;
  const content = element.textContent;
  return typeof text === 'string' ? content === text : text.test(content);
}
