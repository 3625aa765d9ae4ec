import { formatAhead, formatTenths } from '@/lib/cluster';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { formatAgo, formatCount, formatNames } from '@/lib/format';
import type { ClusterNode } from '@/lib/wire';
import { cluster as t } from '@/messages/cluster';

export type ShownNode = DeepReadonly<ClusterNode>;

interface NodeColumn {
  label: string;
  /** The text of a node; a dash where it says nothing about itself. */
  text: (node: ShownNode) => string;
  /** Texts are at the left, numbers at the right. */
  isText?: boolean;
}

const none = '–';

/** All names in a sentence. */
export function namesOf(names: readonly string[]): string {
  return formatNames(names, { most: names.length, others: formatCount });
}

/** The columns after name and state, in the order of `parley status`. `others` is how many other nodes there are. */
export function nodeColumns(others: number, now: number): NodeColumn[] {
  const count = (of: (figures: NonNullable<ShownNode['figures']>) => number) => (node: ShownNode) =>
    node.figures ? formatCount(of(node.figures)) : none;
  return [
    { label: t('column.lease'), text: ({ leaseLeft }) => formatTenths(leaseLeft) },
    {
      label: t('column.reachable'),
      isText: true,
      text: ({ silentFor }) => {
        // A node that is alone is asked by nobody.
        if (others === 0) return none;
        return silentFor.length === 0 ? t('all') : t('not', { names: namesOf(silentFor) });
      },
    },
    {
      label: t('column.seenBy'),
      text: ({ seenBy }) => (others === 0 ? none : t('seenBy', { count: seenBy.length, all: others })),
    },
    { label: t('column.conversations'), text: count((figures) => figures.conversations) },
    { label: t('column.sessions'), text: count((figures) => figures.sessions) },
    { label: t('column.tasks'), text: count((figures) => figures.tasks) },
    { label: t('column.sockets'), text: count((figures) => figures.sockets) },
    { label: t('column.running'), text: count((figures) => figures.running) },
    { label: t('column.clock'), text: ({ figures }) => (figures ? formatAhead(figures.clockAhead) : none) },
    { label: t('column.version'), isText: true, text: ({ figures }) => figures?.version ?? none },
    {
      label: t('column.started'),
      isText: true,
      text: ({ figures }) => (figures ? formatAgo(figures.started, now) : none),
    },
    {
      label: t('column.age'),
      text: ({ reportAge }) => (reportAge === null ? none : formatTenths(reportAge)),
    },
  ];
}
