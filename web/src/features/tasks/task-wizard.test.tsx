import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import { resetBlueprints } from '@/stores/blueprints-store/blueprints';
import { comingRuns } from '@/stores/coming-runs-store';
import { resetProjectLabels } from '@/stores/project-labels-store';
import { tasks } from '@/stores/tasks-store';
import { timeZones } from '@/stores/time-zones-store';
import { taskOf } from '@/testing/fixtures/tasks';
import { blueprintOf } from '@/testing/fixtures/wire';
import { renderPart } from '@/testing/render';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { TaskWizard } from './task-wizard';

const inputs = blueprintOf();
const free = blueprintOf({
  id: 8,
  name: 'Weekly report',
  inputs: [],
  abilities: { ...inputs.abilities, schedule: true },
});
const idle = blueprintOf({ id: 9, name: 'Empty one', inputs: [], steps: [] });

function setup() {
  const onClose = vi.fn();
  const zones: string[] = [];
  server.use(
    http.get(api('discourse/blueprints'), () => page([inputs, free, idle])),
    http.get(api('discourse/projectlabels'), () => page([{ id: 3, name: 'Sales', color: 'Teal blue' }])),
    http.get(api('discourse/scheduledtasks/timezones'), ({ request }) => {
      const query = new URL(request.url).searchParams;
      zones.push(query.toString());
      return page([{ timezone: 'America/New_York', offset: '-05:00' }]);
    }),
    http.post(api('discourse/scheduledtasks/next-runs'), () =>
      HttpResponse.json({
        results: ['2026-11-30T08:30:00.000Z', '2026-12-07T08:30:00.000Z', '2026-12-14T08:30:00.000Z'],
      }),
    ),
  );
  return { ...renderPart(<TaskWizard onClose={onClose} />), onClose, zones };
}

type Person = ReturnType<typeof setup>['user'];

async function choose(user: Person, field: string, option: string): Promise<void> {
  await user.click(screen.getByRole('combobox', { name: field }));
  await user.click(await screen.findByRole('option', { name: option }));
}

/** Moves to the second step. */
async function second(user: Person): Promise<void> {
  await user.click(await screen.findByRole('radio', { name: /Weekly report/u }));
  await user.click(screen.getByRole('button', { name: 'Next' }));
  await screen.findByRole('textbox', { name: 'Name' });
}

beforeEach(() => {
  for (const store of [tasks, comingRuns, timeZones]) store.reset();
  resetBlueprints();
  resetProjectLabels();
  vi.spyOn(notify, 'error').mockReturnValue();
});

describe('TaskWizard', () => {
  it('offers blueprints that need no inputs, and says why not the others', async () => {
    const { user } = setup();
    expect(await screen.findByRole('radio', { name: /Weekly report/u })).toBeEnabled();
    expect(screen.getByRole('radio', { name: /Region deep dive/u })).toBeDisabled();
    expect(screen.getByText('Needs inputs: Region, Year')).toBeVisible();
    expect(screen.getByRole('radio', { name: /Empty one/u })).toBeDisabled();
    expect(screen.getByText('Has no steps and no initial message yet')).toBeVisible();

    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(await screen.findByText('Please select at least one icebreaker')).toBeVisible();
    expect(notify.error).toHaveBeenCalledExactlyOnceWith('Please complete the required fields');
  });

  it('says at each field what is missing', async () => {
    const { user } = setup();
    await second(user);
    await choose(user, 'Frequency', 'Annually');
    await user.click(screen.getByRole('button', { name: 'Schedule task' }));
    for (const text of [
      'Please enter a valid name',
      'Please select a month',
      'Please select a day of the month',
      'Please select a time',
    ]) {
      expect(await screen.findByText(text)).toBeVisible();
    }
  });

  it('says when it will run, schedules it and closes', async () => {
    const success = vi.spyOn(notify, 'success').mockReturnValue();
    let body: unknown;
    server.use(
      http.post(api('discourse/scheduledtasks'), async ({ request }) => {
        body = await request.json();
        return HttpResponse.json(taskOf(), { status: 201 });
      }),
    );
    const { user, onClose, zones } = setup();
    await second(user);
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Monday report');
    await choose(user, 'Frequency', 'Weekly');
    await choose(user, 'Day of the week', 'Monday');
    await choose(user, 'Time', '9:30 AM');
    await user.click(screen.getByRole('combobox', { name: 'Time zone' }));
    expect(await screen.findByRole('listbox', { name: 'Time zone' })).toHaveStyle({ maxHeight: '200px' });
    await user.click(await screen.findByRole('option', { name: 'America/New York (UTC-05:00)' }));
    await choose(user, 'Projects', 'Sales');
    await user.keyboard('{Escape}');
    expect(screen.getByText('Runs every Monday at 9:30 AM, America/New York time.')).toBeVisible();
    expect(await screen.findByText(/Mon, Nov 30, 2026, 3:30\sAM EST/u)).toBeVisible();
    expect(zones[0]).toBe('page_size=25&page=1');

    await user.click(screen.getByRole('button', { name: 'Schedule task' }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(body).toEqual({
      name: 'Monday report',
      icebreaker: 8,
      projectLabels: [3],
      isEnabled: true,
      schedule: {
        type: 'cron',
        frequencyType: 'weekly',
        timeZone: 'America/New_York',
        time: '09:30',
        dayOfWeek: 1,
      },
    });
    expect(success).toHaveBeenCalledExactlyOnceWith('Scheduled task created successfully');
  });

  it('forgets the days and the time of another frequency', async () => {
    const { user } = setup();
    await second(user);
    await choose(user, 'Frequency', 'Monthly');
    await choose(user, 'Day of the month', '31');
    await choose(user, 'Time', '12:00 AM');
    expect(screen.getByRole('combobox', { name: 'Day of the month' })).toHaveTextContent('31');
    await choose(user, 'Frequency', 'Annually');
    expect(screen.getByRole('combobox', { name: 'Day of the month' })).toHaveTextContent('Choose');
    expect(screen.getByRole('combobox', { name: 'Time' })).toHaveTextContent('Choose');
    await choose(user, 'Frequency', 'Daily');
    expect(screen.queryByRole('combobox', { name: 'Day of the month' })).not.toBeInTheDocument();
    expect(screen.queryByRole('combobox', { name: 'Month' })).not.toBeInTheDocument();
  });

  it('offers every half hour, 7 weekdays, 31 days and 12 months', async () => {
    const { user } = setup();
    await second(user);
    const count = async (field: string): Promise<number> => {
      await user.click(screen.getByRole('combobox', { name: field }));
      const options = within(await screen.findByRole('listbox')).getAllByRole('option');
      await user.keyboard('{Escape}');
      return options.length;
    };
    expect(await count('Time')).toBe(48);
    await choose(user, 'Frequency', 'Weekly');
    expect(await count('Day of the week')).toBe(7);
    await choose(user, 'Frequency', 'Annually');
    expect(await count('Day of the month')).toBe(31);
    expect(await count('Month')).toBe(12);
  });

  it('stays open with what the server finds wrong, at its field', async () => {
    server.use(
      http.post(api('discourse/scheduledtasks'), () =>
        problem(422, 'invalid', 'Not valid.', [
          { field: 'icebreaker', message: 'The blueprint is not available.' },
        ]),
      ),
    );
    const { user, onClose } = setup();
    await second(user);
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Monday report');
    await choose(user, 'Time', '9:30 AM');
    await choose(user, 'Time zone', 'America/New York (UTC-05:00)');
    await user.click(screen.getByRole('button', { name: 'Schedule task' }));
    expect(await screen.findByText('The blueprint is not available.')).toBeVisible();
    expect(screen.getByRole('radio', { name: /Weekly report/u })).toBeVisible();
    expect(onClose).not.toHaveBeenCalled();
  });
});
