import { listBlueprintsOf, listConversationsOf, listDataSourcesOf, listTasksOf } from '@/api/project-content';
import { atSignOut } from '@/lib/at-sign-out';
import { Collection, listKey } from '@/lib/collection';
import type { Blueprint, Conversation, DataSource, ScheduledTask } from '@/lib/wire';

/** What belongs to a project, by its id: as many of each as have been asked for. */
export const projectContent = {
  conversations: new Collection<Conversation, number>({ list: listConversationsOf }),
  dataSources: new Collection<DataSource, number>({ list: listDataSourcesOf }),
  blueprints: new Collection<Blueprint, number>({ list: listBlueprintsOf }),
  tasks: new Collection<ScheduledTask, number>({ list: listTasksOf }),
};

/** Asks again for what is shown of a project: it is changed in many places, and not here. */
export async function refreshProjectContent(project: number): Promise<void> {
  const shown = Object.values(projectContent).filter(
    // One that is on its way is as new as an answer can be.
    ({ state }) => state.lists[listKey(project)]?.status === 'fetched',
  );
  await Promise.all(shown.map((collection) => collection.refresh(project)));
}

export function resetProjectContent(): void {
  for (const collection of Object.values(projectContent)) collection.reset();
}

atSignOut(resetProjectContent);
