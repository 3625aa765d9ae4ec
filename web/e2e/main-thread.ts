import type { CDPSession, Page } from 'playwright-core';

/**
 * The work of the page's main thread between two moments, in ms of its own processor time: the work of other
 * threads does not count.
 */
export interface Work {
  script: number;
  layout: number;
  style: number;
  /** The total. */
  task: number;
  /** Wall time. */
  passed: number;
}

/** The tasks in a period of time. */
export interface Tasks {
  /** The number of tasks of more than 50 ms of wall time, and the length of the longest one in ms. */
  long: number;
  longest: number;
  /** The same in the thread's own processor time: as on a machine with no other load. */
  longOwn: number;
  longestOwn: number;
}

/** The memory of a page. */
export interface Memory {
  /** JavaScript objects, in MB. */
  heap: number;
  /** Nodes of the document, and detached ones. */
  nodes: number;
  listeners: number;
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** Measures a page's main thread with the browser's own counters and trace. */
export class MainThread {
  private constructor(private readonly devtools: CDPSession) {}

  static async of(page: Page): Promise<MainThread> {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    return new MainThread(devtools);
  }

  /** Measures the work that `act` causes. */
  async work(act: () => Promise<void>): Promise<Work> {
    const [before, since] = [await this.counters(), Date.now()];
    await act();
    const after = await this.counters();
    const spent = (name: string): number => Math.round(1000 * ((after[name] ?? 0) - (before[name] ?? 0)));
    return {
      script: spent('ScriptDuration'),
      layout: spent('LayoutDuration'),
      style: spent('RecalcStyleDuration'),
      task: spent('TaskDuration'),
      passed: Date.now() - since,
    };
  }

  /** Traces `act`, and returns the tasks of the page's thread. */
  async tasks(act: () => Promise<void>): Promise<Tasks> {
    const events: TraceEvent[] = [];
    this.devtools.on('Tracing.dataCollected', ({ value }) => {
      events.push(...(value as unknown as TraceEvent[]));
    });
    const categories = ['disabled-by-default-devtools.timeline', '__metadata'].join(',');
    await this.devtools.send('Tracing.start', { categories, transferMode: 'ReportEvents' });
    await act();
    const complete = new Promise((resolve) => this.devtools.once('Tracing.tracingComplete', resolve));
    await this.devtools.send('Tracing.end');
    await complete;
    const main = new Set(
      events
        .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
        .map(({ pid, tid }) => `${pid}/${tid}`),
    );
    const tasks = events.filter(({ name, pid, tid }) => name === 'RunTask' && main.has(`${pid}/${tid}`));
    const wall = tasks.map(({ dur = 0 }) => dur / 1000);
    const own = tasks.map(({ tdur = 0 }) => tdur / 1000);
    return {
      long: wall.filter((ms) => ms > 50).length,
      longest: Math.round(Math.max(0, ...wall)),
      longOwn: own.filter((ms) => ms > 50).length,
      longestOwn: Math.round(Math.max(0, ...own)),
    };
  }

  /** The memory after a garbage collection. */
  async memory(): Promise<Memory> {
    // Objects that the first collection frees may keep others alive until a second one.
    for (let time = 0; time < 3; time += 1) await this.devtools.send('HeapProfiler.collectGarbage');
    const counters = await this.counters();
    return {
      heap: Math.round((counters['JSHeapUsedSize'] ?? 0) / 1e4) / 100,
      nodes: counters['Nodes'] ?? 0,
      listeners: counters['JSEventListeners'] ?? 0,
    };
  }

  private async counters(): Promise<Record<string, number>> {
    const { metrics } = await this.devtools.send('Performance.getMetrics');
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  }
}
