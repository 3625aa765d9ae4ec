import { proxy, ref } from 'valtio';
import { getCluster } from '@/api/cluster';
import { atSignOut } from '@/lib/at-sign-out';
import { sampleOf, withSample, type Sample } from '@/lib/cluster';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { LoadStatus } from '@/lib/load-status';
import type { Cluster } from '@/lib/wire';

interface ClusterState {
  status: LoadStatus;
  /** The latest answer; it stays when a later call fails. */
  cluster: Cluster | null;
  /** When it was read, in ms. */
  readAt: number;
  /** All names that were seen, in their order: a node keeps its colour when others come and go. */
  names: string[];
  /** The figures of the last minutes. A list of plain objects, replaced as a whole. */
  samples: { list: readonly Sample[] };
}

const initial = (): ClusterState => ({
  status: 'initial',
  cluster: null,
  readAt: 0,
  names: [],
  samples: ref({ list: [] }),
});

const state = proxy<ClusterState>(initial());

export const clusterState: DeepReadonly<ClusterState> = state;

/** Counts sign-outs: an answer to a request from before belongs to another person. */
const epoch = { count: 0 };

/** Reads the nodes, and adds their figures to those of the last minutes. */
export async function loadCluster(): Promise<void> {
  const mine = epoch.count;
  state.status = state.cluster === null ? 'fetching' : 'updating';
  try {
    const cluster = await getCluster();
    if (mine !== epoch.count) return;
    const now = Date.now();
    state.cluster = cluster;
    state.readAt = now;
    state.names = [...new Set([...state.names, ...cluster.nodes.map(({ name }) => name)])];
    state.samples = ref({ list: withSample(state.samples.list, sampleOf(cluster, now)) });
    state.status = 'fetched';
  } catch {
    // The page shows the failure, and asks again by itself.
    if (mine === epoch.count) state.status = 'failed';
  }
}

/** Drops the loaded data. */
export function resetCluster(): void {
  epoch.count++;
  Object.assign(state, initial());
}

atSignOut(resetCluster);
