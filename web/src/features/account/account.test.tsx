import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { CreditsInfo, UsageRow } from '@/lib/wire';
import { resetUsage } from '@/stores/usage-store';
import { hold } from '@/testing/hold';
import { personOf, signInAs } from '@/testing/person';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { nobody } from '@/testing/sign-in';
import { Component as AccountPage } from './account-page';

// The chart has its own tests; this test checks what it is given to draw.
vi.mock('@/components/chart/chart', () => ({
  Chart: ({ config }: { config: { series: { data: unknown }[] } }) => (
    <output aria-label="chart">{JSON.stringify(config.series[0]?.data)}</output>
  ),
}));

const reports = api('discourse/llm-statistics/usage-report');

const credits: CreditsInfo = {
  plan: 'payAsYouGo',
  availableCredits: null,
  totalCredits: null,
  totalTokensCredit: 12345.678,
  availableTokensPercentage: null,
};

interface Answer {
  rows?: UsageRow[];
  total?: number;
  all?: number;
}

/** The server's answers by request: `level/group_by`, or `custom_time` for the comparison. */
type Answers = Readonly<Record<string, Answer>>;

function serve(answers: Answers = {}, info: Partial<CreditsInfo> = {}) {
  const asked: URLSearchParams[] = [];
  server.use(
    http.get(api('discourse/llm-statistics/credits-info'), () => HttpResponse.json({ ...credits, ...info })),
    http.get(api('discourse/llm-statistics/time-period'), () =>
      page(
        ['this_week', 'this_month', 'last_month', 'last_3_months', 'last_6_months', 'custom_time'].map(
          (id) => ({
            id,
            name: id,
          }),
        ),
      ),
    ),
    http.get(reports, ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push(query);
      const key = `${query.get('level') ?? ''}/${query.get('group_by') ?? ''}`;
      const custom = query.get('time_period') === 'custom_time' ? answers['custom_time'] : undefined;
      const { rows = [], total = 0, all = total } = custom ?? answers[key] ?? {};
      return HttpResponse.json({
        results: rows,
        pagination: { count: rows.length, next: null, previous: null },
        totalTokensCreditSum: total,
        totalTokensCreditSumOverOrg: all,
        startDate: '2026-11-01',
        endDate: '2026-11-23',
      });
    }),
  );
  return asked;
}

const open = (path = '/account') => renderAt(path, { '/account': <AccountPage /> });

const figure = (name: string) => within(screen.getByRole('region', { name }));

const row = (
  entity: 'conversation' | 'project' | 'user',
  id: string | number | undefined,
  credit: number,
  share: number,
) => ({
  ...(id !== undefined && { [`${entity}Id`]: id }),
  [`${entity}Name`]: id === undefined ? '' : `The ${entity} ${id}`,
  [`${entity}IsDeleted`]: false,
  totalTokensCreditSum: credit,
  totalTokensCreditPercentageSum: share,
  totalTokensCreditPercentageOverOrgSum: share / 2,
});

beforeEach(() => {
  nobody();
  resetUsage();
  vi.useFakeTimers({ now: Date.parse('2026-11-23T12:00:00Z'), toFake: ['Date'] });
});

describe('the heading', () => {
  it('has the credits of this month, thousands apart as the French do', async () => {
    serve();
    open();
    expect(await screen.findByText('12 345,68 credits this month')).toBeVisible();
  });

  it('has a dash when nothing was used', async () => {
    serve({}, { totalTokensCredit: 0 });
    open();
    expect(await screen.findByText('– credits this month')).toBeVisible();
  });
});

describe('the figures', () => {
  it('say what the organization used, this month against last month to the same day, and where it leads', async () => {
    const asked = serve({ 'organization/date': { total: 2300, all: 2300 }, custom_time: { total: 2000 } });
    open();
    expect(await screen.findByText('Total number of credits used across the organization')).toBeVisible();
    const whole = figure('Organization wide usage');
    expect(await whole.findByText('2 300')).toBeVisible();
    expect(whole.getByText('Output credits used')).toBeVisible();
    expect(
      await figure('This month').findByText('+15% against 2 000 credits by the same day last month'),
    ).toBeVisible();
    expect(figure('Forecast for this month').getByText('3 000')).toBeVisible();
    const compared = asked.find((query) => query.get('time_period') === 'custom_time');
    expect([compared?.get('start_date'), compared?.get('end_date')]).toEqual(['2026-10-01', '2026-10-23']);
  });

  it('say nothing about the month while its usage loads', async () => {
    serve();
    server.use(http.get(reports, () => new Promise<never>(() => undefined)));
    open();
    expect(await screen.findByText('Forecast for this month')).toBeVisible();
    expect(screen.queryByText('It is too early in the month')).toBeNull();
    expect(screen.queryByText('If usage continues as it has until today')).toBeNull();
  });

  it('say that there is nothing to compare with', async () => {
    serve({ 'organization/date': { total: 5 }, custom_time: { total: 0 } });
    open();
    expect(await screen.findByText('Nothing was used by the same day last month')).toBeVisible();
  });

  it('can be asked for again when they could not be loaded', async () => {
    serve();
    server.use(http.get(reports, () => problem(500, 'internal', 'It broke')));
    const { user } = open();
    const failed = await screen.findByText('The totals could not be loaded');
    serve({ 'organization/date': { total: 7 } });
    await user.click(within(failed).getByRole('button', { name: 'Try again' }));
    expect(await figure('Organization wide usage').findByText('7')).toBeVisible();
  });
});

describe('the bars', () => {
  it('are by day, and by week when the period is long', async () => {
    const asked = serve({
      'organization/date': { rows: [{ date: '2026-11-01', totalTokensCreditSum: 4 }], total: 4 },
      'organization/week': { rows: [{ week: '2026-10-26', totalTokensCreditSum: 9 }], total: 9 },
    });
    const { user, where } = open();
    expect(await screen.findByLabelText('chart')).toHaveTextContent('[["2026-11-01",4]]');
    await user.click(screen.getByRole('combobox', { name: 'Time period' }));
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
      'This week',
      'This month',
      'Last month',
      'Last 3 months',
      'Last 6 months',
    ]);
    await user.click(screen.getByRole('option', { name: 'Last 3 months' }));
    await waitFor(() => expect(screen.getByLabelText('chart')).toHaveTextContent('[["2026-10-26",9]]'));
    expect(where()).toBe('/account?period=last_3_months');
    expect(asked.some((query) => query.get('time_period') === 'last_3_months')).toBe(true);
  });

  it('count the person alone when the switch says so, as everything but the organization’s figure does', async () => {
    const asked = serve({
      'organization/date': { rows: [{ date: '2026-11-01', totalTokensCreditSum: 4 }], total: 4 },
      'user/date': { rows: [{ date: '2026-11-01', totalTokensCreditSum: 1 }], total: 1, all: 4 },
    });
    const { user, where } = open();
    await user.click(await screen.findByRole('switch', { name: 'Show personal usage only' }));
    await waitFor(() => expect(screen.getByLabelText('chart')).toHaveTextContent('[["2026-11-01",1]]'));
    expect(where()).toBe('/account?personal=true');
    expect(figure('Organization wide usage').getByText('4')).toBeVisible();
    await user.click(screen.getByRole('tab', { name: /^By Project/u }));
    await waitFor(() =>
      expect(
        asked.some((query) => `${query.get('level')}/${query.get('group_by')}` === 'user/project_label_id'),
      ).toBe(true),
    );
    expect(await screen.findByRole('columnheader', { name: '% of my usage' })).toBeVisible();
  });

  it('say that nothing was used', async () => {
    serve();
    open();
    expect(await screen.findByText('Nothing was used in this time.')).toBeVisible();
  });
});

describe('the details', () => {
  it('show my conversations, with the deleted ones struck through, and what they are of everything', async () => {
    const asked = serve({
      'conversation/conversation_id': {
        rows: [
          { ...row('conversation', 'c1', 30, 75) },
          { ...row('conversation', 'c2', 10, 25), conversationIsDeleted: true },
        ],
        total: 40,
        all: 80,
      },
    });
    open();
    const table = within(await screen.findByRole('table', { name: 'My Conversations' }));
    expect(table.getByRole('columnheader', { name: '% of my usage' })).toBeVisible();
    const lines = table.getAllByRole('row').slice(1);
    expect(lines.map((line) => line.textContent)).toEqual([
      'The conversation c175%30',
      'The conversation c2 (deleted)25%10',
    ]);
    expect(table.getByRole('link', { name: 'The conversation c1' })).toHaveAttribute(
      'href',
      '/conversations/c1',
    );
    expect(table.getByText('The conversation c2').tagName).toBe('S');
    const ring = screen.getByRole('img', { name: 'My conversations: 50% of all org usage' });
    expect([...ring.querySelectorAll('title')].map((title) => title.textContent)).toEqual([
      'The conversation c1: 37.5%',
      'The conversation c2: 12.5%',
      'Other usage of the organization: 50%',
    ]);
    const query = asked.find((one) => one.get('level') === 'conversation');
    expect(query?.get('include_deleted_conversations')).toBe('true');
    expect(query?.get('aggregate')).toBe('sum');
    expect(query?.get('fields')).toContain('total_tokens_credit_percentage_over_org');
  });

  it('show projects in their colours, and what has none', async () => {
    serve({
      'organization/project_label_id': {
        rows: [{ ...row('project', 3, 60, 60), projectColor: '#123456' }, row('project', undefined, 40, 40)],
        total: 100,
      },
    });
    const { user } = open();
    await user.click(await screen.findByRole('tab', { name: /^By Project/u }));
    const table = within(await screen.findByRole('table', { name: 'By Project' }));
    expect(table.getByRole('columnheader', { name: '% of all usage' })).toBeVisible();
    expect(table.getByRole('row', { name: /no project assigned 40% 40/u })).toBeVisible();
    expect(table.getByRole('link', { name: 'The project 3' })).toHaveAttribute('href', '/projects/3');
    const ring = screen.getByRole('img', { name: 'Credit Usage by Project' });
    expect(ring.querySelector('circle')?.style.getPropertyValue('--slice')).toBe('#123456');
    expect(ring.querySelectorAll('circle')).toHaveLength(2);
  });

  it('show people ten at a time', async () => {
    serve({
      'organization/user_id': {
        rows: Array.from({ length: 12 }, (_, place) => row('user', place + 1, 10, 100 / 12)),
        total: 120,
      },
    });
    const { user } = open();
    await user.click(await screen.findByRole('tab', { name: /^By User/u }));
    const table = within(await screen.findByRole('table', { name: 'By User' }));
    expect(table.getAllByRole('row')).toHaveLength(11);
    expect(table.getByRole('row', { name: /The user 1 8.33% 10/u })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(screen.getByText('11–12 of 12')).toBeVisible();
    expect(table.getAllByRole('row')).toHaveLength(3);
    expect(screen.getByRole('img', { name: 'Credit Usage by User' })).toBeVisible();
  });

  it('say No data when there is none, without a ring', async () => {
    serve();
    open();
    expect(await screen.findByText('No data')).toBeVisible();
    expect(screen.queryByRole('img')).toBeNull();
  });
});

describe('who sees what', () => {
  it('superusers have controls that switch debug mode and load the page again', async () => {
    serve();
    await signInAs(personOf({ isSuperuser: true }));
    const reload = vi.fn();
    const { user, where } = open();
    await user.click(await screen.findByRole('tab', { name: /^Superuser Controls/u }));
    expect(where()).toBe('/account?tab=superuser');
    expect(screen.getByText('Debug mode is off in this browser.')).toBeVisible();
    vi.stubGlobal('location', { reload });
    await user.click(screen.getByRole('button', { name: 'Enable Debug Mode' }));
    vi.unstubAllGlobals();
    expect(reload).toHaveBeenCalledOnce();
    expect(localStorage.getItem('parley.debug')).toBe('true');
  });

  it('superusers in debug mode can leave it', async () => {
    localStorage.setItem('parley.debug', 'true');
    serve();
    await signInAs(personOf({ isSuperuser: true }));
    open('/account?tab=superuser');
    expect(await screen.findByRole('button', { name: 'Disable Debug Mode' })).toBeVisible();
  });

  it('others have no such controls, whatever the address says', async () => {
    serve();
    await signInAs(personOf());
    open('/account?tab=superuser');
    expect(await screen.findByRole('tab', { name: /^Usage/u })).toHaveAttribute('aria-selected', 'true');
    expect(screen.queryByRole('tab', { name: /^Superuser Controls/u })).toBeNull();
    expect(screen.queryByRole('tab', { name: /^Preferences/u })).toBeNull();
  });

  it('usage is for who pays as they go; others see what is left', async () => {
    serve({}, { plan: 'limited', totalTokensCredit: 250, availableCredits: 750, totalCredits: 1000 });
    open();
    expect(await screen.findByText('750 of 1 000 credits are left this month')).toBeVisible();
    expect(screen.queryByRole('tab', { name: /^Usage/u })).toBeNull();
  });
});

it('does not show what was asked for by the person before', async () => {
  const { held, release } = hold();
  serve();
  server.use(
    http.get(api('discourse/llm-statistics/credits-info'), async () => {
      await held;
      return HttpResponse.json(credits);
    }),
  );
  open();
  resetUsage();
  release();
  await waitFor(() => expect(screen.getByText('– credits this month')).toBeVisible());
});
