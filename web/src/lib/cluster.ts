import { locale } from './locale';
import type { DeepReadonly } from './deep-readonly';
import type { Cluster, ClusterNode } from './wire';

/** What is drawn of each node. */
export const measures = ['running', 'conversations', 'sockets', 'lease', 'clock'] as const;
export type Measure = (typeof measures)[number];

/** The figures of the nodes at a time, by name; a node without figures has only its lease. */
export interface Sample {
  /** When it was read, in ms by this browser's clock. */
  readonly at: number;
  readonly nodes: Readonly<Record<string, Partial<Record<Measure, number>>>>;
}

/** How long samples are kept, in ms. */
const kept = 10 * 60_000;
/** Samples that are further apart than this, in ms, are not joined by a line: the page was not visible. */
const longestGap = 15_000;
/** The figures of a node that is well are 2 s old at most. */
const staleAge = 5;
/** Seconds of difference that are worth a line; scheduled tasks pause at a minute. */
const clockApart = 5;

type Node = DeepReadonly<ClusterNode>;

/** The figures of one answer. */
export function sampleOf(cluster: Cluster, at: number): Sample {
  return {
    at,
    nodes: Object.fromEntries(
      cluster.nodes.map(({ name, leaseLeft, figures }) => [
        name,
        {
          lease: leaseLeft,
          ...(figures && {
            running: figures.running,
            conversations: figures.conversations,
            sockets: figures.sockets,
            clock: figures.clockAhead,
          }),
        },
      ]),
    ),
  };
}

/** The samples with a new one, without those that are too old. */
export function withSample(samples: readonly Sample[], next: Sample): Sample[] {
  return [...samples.filter(({ at }) => at > next.at - kept), next];
}

/** The points of one line: time and value; `null` where the node had none, or where nobody looked. */
export type Points = readonly (readonly [at: number, value: number | null])[];

/** The line of a node. */
export function pointsOf(samples: readonly Sample[], name: string, measure: Measure): Points {
  return samples.flatMap(({ at, nodes }, place) => {
    const point = [at, nodes[name]?.[measure] ?? null] as const;
    const before = samples[place - 1]?.at ?? at;
    return at - before > longestGap ? [[before + 1, null] as const, point] : [point];
  });
}

export type NodeState = 'serving' | 'draining' | 'silent' | 'ended' | 'unknown';

/** The state of a node in one word: the worst thing that is known about it. */
export function stateOf({ leaseLeft, silentFor, figures }: Node): NodeState {
  if (leaseLeft <= 0) return 'ended';
  if (silentFor.length > 0) return 'silent';
  if (!figures) return 'unknown';
  return figures.draining ? 'draining' : 'serving';
}

/** One thing that is not as it should be; `seconds` is the time that its text names. */
export interface Worry {
  readonly about: 'lease' | 'silent' | 'report' | 'old' | 'clock';
  readonly node: Node;
  readonly seconds: number;
}

/** What is not as it should be with a node, as `parley status` says it. */
export function worriesOf(node: Node): Worry[] {
  const { leaseLeft, silentFor, figures, reportAge } = node;
  const found: Worry[] = [];
  if (leaseLeft <= 0) found.push({ about: 'lease', node, seconds: -leaseLeft });
  if (silentFor.length > 0) found.push({ about: 'silent', node, seconds: 0 });
  if (!figures) found.push({ about: 'report', node, seconds: 0 });
  else if (reportAge !== null && reportAge >= staleAge)
    found.push({ about: 'old', node, seconds: reportAge });
  if (figures && Math.abs(figures.clockAhead) >= clockApart)
    found.push({ about: 'clock', node, seconds: Math.abs(figures.clockAhead) });
  return found;
}

const tenths = new Intl.NumberFormat(locale, {
  style: 'unit',
  unit: 'second',
  unitDisplay: 'narrow',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const signed = new Intl.NumberFormat(locale, {
  style: 'unit',
  unit: 'second',
  unitDisplay: 'narrow',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

/** Seconds with one decimal, such as `4.2s`. */
export function formatTenths(seconds: number): string {
  return tenths.format(seconds);
}

/** The same with its sign: how far a clock is ahead. */
export function formatAhead(seconds: number): string {
  // A difference that rounds to zero has no sign.
  return signed.format(Math.round(seconds * 10) / 10 + 0);
}
