import { call } from './client';
import { path } from './path';
import type { Cluster } from '@/lib/wire';

/** The nodes of the server. The call does not keep the session alive. */
export function getCluster(): Promise<Cluster> {
  return call('GET', path`cluster/nodes`, { quiet: true });
}
