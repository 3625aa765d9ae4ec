import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { until } from '../../e2e/api';
import type { Product } from '../../e2e/product';
import { type Call, share } from './calls';

/** The agents, blueprints and tasks in the pictures. */
export interface Edited {
  /** The first agent of the list. */
  agent: number;
  /** An agent of the superuser, shared with a colleague. */
  ownAgent: number;
  /** A blueprint of the superuser, shared with a colleague. */
  blueprint: number;
  archivedBlueprint: number;
  /** A blueprint that asks for inputs. */
  withInputs: number;
  /** A task that has run once. */
  task: string;
  /** A task that has never run. */
  newTask: string;
  /** A task whose blueprint was deleted. */
  brokenTask: string;
  /** A task of a colleague. */
  hisTask: string;
}

interface Surroundings {
  product: Product;
  call: Call;
  /** The calls of a colleague. */
  hisCall: Call;
  orders: number;
  project: number;
}

const root = path.resolve(import.meta.dirname, '../../..');

/** Makes the agents, blueprints and tasks, and lets one task run. */
export async function makeEdited({ product, call, hisCall, orders, project }: Surroundings): Promise<Edited> {
  const { results: agents } = await call<{ results: { id: number }[] }>('GET', 'analyst/analysts');
  const ownAgent = await call<{ id: number }>('POST', 'analyst/analysts', {
    agentName: 'Sales review',
    description: 'Answers from the orders, and says in two sentences what has changed.',
    connectors: [orders],
    insights: { specialInstructions: 'Name the largest change first.' },
  });
  await share(call, `analyst/analysts/${ownAgent.id}`, 'Tomas Okafor');

  const blueprint = async (name: string, by = call): Promise<number> =>
    (
      await by<{ id: number }>('POST', 'discourse/blueprints', {
        name,
        description:
          'Where the revenue of the week comes from, and what has changed against the week before.',
        dataSources: [orders],
        projectLabels: [project],
        steps: [
          {
            name: 'Revenue by region',
            detailedInstructions: 'Net sales by region of the last week.',
            order: 1,
          },
          { name: 'What changed', detailedInstructions: 'Compare with the week before.', order: 2 },
        ],
      })
    ).id;
  const own = await blueprint('Weekly revenue check');
  await share(call, `discourse/blueprints/${own}`, 'Tomas Okafor');
  const archived = await blueprint('Revenue check of last year');
  await call('POST', `discourse/blueprints/${archived}/archive`, { isArchived: true });
  const lost = await blueprint('Close of the quarter');
  const { results: blueprints } = await call<{ results: { id: number; inputParameters?: string | null }[] }>(
    'GET',
    'discourse/blueprints?page_size=100',
  );
  const withInputs = blueprints.find(({ inputParameters }) => inputParameters)?.id ?? own;

  const task = async (name: string, when: object, icebreaker = own, by = call): Promise<string> =>
    (
      await by<{ id: string }>('POST', 'discourse/scheduledtasks', {
        name,
        isEnabled: true,
        icebreaker,
        projectLabels: [project],
        schedule: { type: 'cron', timeZone: 'Europe/Berlin', time: '09:30', ...when },
      })
    ).id;
  const daily = await task('Every morning', { frequencyType: 'daily' });
  const weekly = await task('Monday report', { frequencyType: 'weekly', dayOfWeek: 1 });
  await task('Close of the month', { frequencyType: 'monthly', dayOfMonth: 1 });
  const broken = await task('Close of the quarter', { frequencyType: 'monthly', dayOfMonth: 28 }, lost);
  await call('DELETE', `discourse/blueprints/${lost}`);
  const his = await blueprint('Stock of the week', hisCall);
  const hisTask = await task('Stock on Friday', { frequencyType: 'weekly', dayOfWeek: 5 }, his, hisCall);
  await promisify(execFile)('go', ['run', './internal/taskdue', product.database(), daily], { cwd: root });
  await until('the run of the task', async () => {
    const { results } = await call<{ results: { status: string }[] }>(
      'GET',
      `discourse/scheduledtasks/${daily}/runs`,
    );
    return results.some(({ status }) => status === 'complete');
  });
  return {
    agent: agents[0]?.id ?? 1,
    ownAgent: ownAgent.id,
    blueprint: own,
    archivedBlueprint: archived,
    withInputs,
    task: daily,
    newTask: weekly,
    brokenTask: broken,
    hisTask,
  };
}
