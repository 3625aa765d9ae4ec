import { Button } from '@radix-ui/themes';
import { CalendarClock, Plus } from 'lucide-react';
import { useState } from 'react';
import type { EntityWords, ListSegment } from '@/components/entity-list/entity';
import { EntityList } from '@/components/entity-list/entity-list';
import { Page } from '@/components/page/page';
import { CalendarToggle } from '@/components/task/calendar-toggle';
import { paths } from '@/lib/paths';
import { taskPageSize, type TaskQuery } from '@/lib/task';
import { useDebounced } from '@/lib/use-debounced';
import { useList } from '@/lib/use-collection';
import { useListQuery } from '@/lib/use-list-query';
import { tasks as t } from '@/messages/tasks';
import { projectLabels as heldProjects } from '@/stores/project-labels-store';
import { tasks } from '@/stores/tasks-store';
import { taskColumns } from './task-columns';
import { TaskMenu } from './task-menu';
import { TaskWizard } from './task-wizard';

const segments: readonly ListSegment[] = [
  { value: 'all', label: t('segment.all') },
  { value: 'user', label: t('segment.user'), disabled: true },
  { value: 'shared', label: t('segment.shared'), disabled: true },
  { value: 'archived', label: t('segment.archived') },
];

const words: EntityWords = {
  list: t('list'),
  search: t('search'),
  count: (count) => t('count', { count }),
  none: t('none'),
  loading: t('loading'),
  failed: t('failed'),
};

/** `/tasks`: scheduled runs of blueprints. */
function TasksPage() {
  const [making, setMaking] = useState(false);
  const { items: labels } = useList(heldProjects, undefined);
  const { query, change } = useListQuery({ segments: ['all', 'archived'], view: 'list' });
  const archived = query.segment === 'archived';
  const asked: TaskQuery = {
    status: archived ? 'archived' : 'all',
    project: query.project,
    search: useDebounced(query.search.trim()),
  };
  const { items, status, count, first } = useList(tasks, asked);

  const schedule = (
    <Button onClick={() => setMaking(true)}>
      <Plus size={16} aria-hidden="true" /> {t('schedule')}
    </Button>
  );
  return (
    <Page wide title={t('title')} actions={schedule}>
      <EntityList
        words={archived ? { ...words, none: t('none.archived') } : words}
        items={items}
        status={status}
        count={count}
        query={query}
        onQuery={change}
        segments={segments}
        projects={labels}
        filters={<CalendarToggle />}
        columns={taskColumns}
        open={({ id }) => ({ to: paths.task(id) })}
        actions={(task) => <TaskMenu task={task} inList />}
        empty={{
          icon: <CalendarClock size={22} />,
          text: archived ? t('empty.archived') : t('empty'),
          ...(!archived && { action: schedule }),
        }}
        onRetry={() => void tasks.refresh(asked)}
        pages={{ page: first, size: taskPageSize, onPage: (page) => void tasks.goTo(asked, page) }}
      />
      {making && <TaskWizard onClose={() => setMaking(false)} />}
    </Page>
  );
}

export { TasksPage as Component };
