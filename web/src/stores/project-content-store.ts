import { listBlueprintsOf, listConversationsOf, listDataSourcesOf, listTasksOf } from '@/api/project-content';
import { atSignOut } from '@/lib/at-sign-out';
import { Collection, listKey } from '@/lib/collection';
import type { Blueprint, Conversation, DataSource, ScheduledTask } from '@/lib/wire';

/** The items of a project, by its id: as many of each kind as have been requested. */
export const projectContent = {
  conversations: new Collection<Conversation, number>({ list: listConversationsOf }),
  dataSources: new Collection<DataSource, number>({ list: listDataSourcesOf }),
  blueprints: new Collection<Blueprint, number>({ list: listBlueprintsOf }),
  tasks: new Collection<ScheduledTask, number>({ list: listTasksOf }),
};

/** Fetches the shown items of a project again: they are changed in many places, and not here. */
export async function refreshProjectContent(project: number): Promise<void> {
  const shown = Object.values(projectContent).filter(
    // The answer of a running request is new enough.
    ({ state }) => state.lists[listKey(project)]?.status === 'fetched',
  );
  await Promise.all(shown.map((collection) => collection.refresh(project)));
}

export function resetProjectContent(): void {
  for (const collection of Object.values(projectContent)) collection.reset();
}

atSignOut(resetProjectContent);
