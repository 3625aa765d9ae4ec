import { screen, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Assumption } from '@/components/transcript/message';
import { notify } from '@/lib/notify';
import type { Correction, CorrectionRequest } from '@/lib/wire';
import { resetMeaning } from '@/stores/meaning-store';
import { correctionOf, meaningColumnOf, meaningOf, meaningTableOf } from '@/testing/fixtures/wire';
import { renderPart } from '@/testing/render';
import { api, http, HttpResponse, problem, server } from '@/testing/server';
import { Assumed } from './assumed';

const accounts = meaningTableOf({ table: 'accounts', columns: [meaningColumnOf('mrr', { label: 'MRR' })] });
const level: Assumption = {
  source: 1,
  table: 'accounts',
  column: 'mrr',
  step: 'month',
  taken: { field: 'default', value: 'last' },
  others: [
    { field: 'default', value: 'mean_of_periods' },
    { field: 'adds', value: 'amount' },
  ],
};
const rate: Assumption = {
  source: 1,
  table: 'accounts',
  column: 'score',
  taken: { field: 'adds', value: 'rate' },
  others: [{ field: 'adds', value: 'amount' }],
};
const added: Assumption = {
  source: 1,
  table: 'accounts',
  column: 'tickets',
  taken: { field: 'adds', value: 'amount' },
  others: [
    { field: 'adds', value: 'level' },
    { field: 'adds', value: 'rate' },
  ],
};
const time: Assumption = {
  source: 1,
  table: 'accounts',
  taken: { field: 'time', value: 'hire_date' },
  others: [{ field: 'time', value: 'review_date' }],
};

let held: Correction[];
let sent: CorrectionRequest[];
let mayCorrect: boolean;
let refusal: string;

beforeEach(() => {
  resetMeaning();
  vi.spyOn(notify, 'error').mockReturnValue();
  vi.spyOn(notify, 'success').mockReturnValue();
  held = [];
  sent = [];
  mayCorrect = true;
  refusal = '';
  server.use(
    http.get(api('memory/datasources/1/meaning'), () =>
      HttpResponse.json(
        meaningOf({ tables: [accounts], corrections: held, abilities: { correct: mayCorrect } }),
      ),
    ),
    http.post(api('memory/datasources/1/corrections'), async ({ request }) => {
      if (refusal !== '') return problem(422, 'invalid', refusal);
      const correction = (await request.json()) as CorrectionRequest;
      sent.push(correction);
      const made = correctionOf({ ...correction, field: correction.field as Correction['field'] });
      held = [made];
      return HttpResponse.json(made, { status: 201 });
    }),
  );
});

const show = (onAgain?: () => void, assumptions = [level, rate, added, time]) =>
  renderPart(<Assumed assumptions={assumptions} onAgain={onAgain} />);

it.each([
  ['Use the mean of the months (MRR: the last month was taken.)', 'mrr', 'default', 'mean_of_periods'],
  ['Add it up (MRR: the last month was taken.)', 'mrr', 'adds', 'amount'],
  ['Always take it so (MRR: the last month was taken.)', 'mrr', 'default', 'last'],
  ['Add it up (Score was averaged.)', 'score', 'adds', 'amount'],
  ['Take its last period (Tickets was added up.)', 'tickets', 'adds', 'level'],
  ['Average it (Tickets was added up.)', 'tickets', 'adds', 'rate'],
  ['Always take it so (Tickets was added up.)', 'tickets', 'adds', 'amount'],
  ['Use Review date (Hire date was taken as the time.)', '', 'time', 'review_date'],
])('is corrected by one press: %s', async (name, column, field, value) => {
  const onAgain = vi.fn();
  const { user } = show(onAgain);
  await user.click(await screen.findByRole('button', { name }));
  await screen.findByText('Said.');
  expect(sent).toEqual([{ table: 'accounts', column, field, value }]);
  expect(screen.queryByRole('button', { name })).toBeNull();
  expect(screen.getByRole('link', { name: 'Take it back on the connector’s page' })).toHaveAttribute(
    'href',
    '/datasource/1',
  );
  expect(onAgain).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Ask again' }));
  expect(onAgain).toHaveBeenCalledOnce();
});

it('shows only the lines to people who may not change the connector', async () => {
  mayCorrect = false;
  const loaded = vi.fn();
  server.events.on('response:mocked', loaded);
  show();
  await vi.waitFor(() => expect(loaded).toHaveBeenCalled());
  const list = screen.getByRole('list', { name: 'What the answer took' });
  expect(within(list).getAllByRole('listitem')).toHaveLength(4);
  expect(within(list).getByText('MRR: the last month was taken.')).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
});

it('says what a refusal says, and keeps the buttons', async () => {
  refusal = 'This connector has no table with this name.';
  const { user } = show(undefined, [rate]);
  await user.click(await screen.findByRole('button', { name: /^Add it up/u }));
  await vi.waitFor(() => expect(notify.error).toHaveBeenCalledWith(expect.stringContaining(refusal)));
  expect(screen.getByRole('button', { name: /^Add it up/u })).toBeEnabled();
  expect(screen.queryByText('Said.')).toBeNull();
});

it('cannot ask again in a conversation that takes no question', async () => {
  held = [correctionOf({ table: 'accounts', column: 'score', field: 'adds', value: 'amount' })];
  show(undefined, [rate]);
  await screen.findByText('Said.');
  expect(screen.queryByRole('button')).toBeNull();
});
