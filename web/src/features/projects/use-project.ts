import { useParams } from 'react-router';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { isFirstLoad } from '@/lib/load-status';
import { useList } from '@/lib/use-collection';
import type { ProjectLabel } from '@/lib/wire';
import { projectLabels } from '@/stores/project-labels-store';

type Found =
  | { readonly status: 'loading' | 'gone' | 'failed'; readonly project: null }
  | { readonly status: 'ready'; readonly project: DeepReadonly<ProjectLabel> };

/** The project of the address. The server has no call for a single one; all of them are one list. */
export function useProject(): Found {
  const { projectId = '' } = useParams();
  const { items, status } = useList(projectLabels, undefined);
  const project = items.find(({ id }) => String(id) === projectId);
  if (project) return { status: 'ready', project };
  if (isFirstLoad(status)) return { status: 'loading', project: null };
  return { status: status === 'failed' ? 'failed' : 'gone', project: null };
}
