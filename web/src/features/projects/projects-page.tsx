import { Button } from '@radix-ui/themes';
import { FolderKanban, Plus } from 'lucide-react';
import { useState } from 'react';
import type { EntityWords } from '@/components/entity-list/entity';
import { EntityList } from '@/components/entity-list/entity-list';
import { Page } from '@/components/page/page';
import { ProjectDot } from '@/components/project/project-tag';
import { formatAgo } from '@/lib/format';
import { paths } from '@/lib/paths';
import { searchByName } from '@/lib/search';
import { useList } from '@/lib/use-collection';
import { useListQuery } from '@/lib/use-list-query';
import { useNow } from '@/lib/use-now';
import { projects as t } from '@/messages/projects';
import { projectLabels } from '@/stores/project-labels-store';
import { CreateDialog } from './create-dialog';
import { ProjectMenu } from './project-menu';

const words: EntityWords = {
  list: t('list'),
  search: t('search'),
  count: (count) => t('count', { count }),
  none: t('none'),
  loading: t('loading'),
  failed: t('failed'),
};

/** `/projects`: the projects of the organisation. */
function ProjectsPage() {
  const { query, change } = useListQuery({ segments: ['all'] });
  const { items, status } = useList(projectLabels, undefined);
  const [creating, setCreating] = useState(false);
  const now = useNow();
  const shown = searchByName(items, query.search);
  const add = { label: t('add'), onAdd: () => setCreating(true) };

  return (
    <Page wide title={t('title')} subtitle={t('subtitle')}>
      <EntityList
        words={words}
        items={shown}
        status={status}
        query={query}
        onQuery={change}
        card={({ color, description, conversations, owner, updatedAt }) => ({
          icon: <ProjectDot color={color} large />,
          description,
          facts: [
            t('conversations.count', { count: conversations }),
            t('updated', { time: formatAgo(updatedAt, now) }),
          ],
          owner,
        })}
        open={({ id }) => ({ to: paths.project(id) })}
        actions={(project) => <ProjectMenu project={project} inList />}
        add={add}
        empty={{
          icon: <FolderKanban size={22} />,
          text: t('empty'),
          action: (
            <Button onClick={add.onAdd}>
              <Plus size={16} aria-hidden="true" /> {add.label}
            </Button>
          ),
        }}
        onRetry={() => void projectLabels.refresh(undefined)}
      />
      {creating && <CreateDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

export { ProjectsPage as Component };
