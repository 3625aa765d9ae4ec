import { Text } from '@radix-ui/themes';
import { ListChecks } from 'lucide-react';
import { useState } from 'react';
import type { Control } from 'react-hook-form';
import type { EntityColumn, EntityWords, ListQuery } from '@/components/entity-list/entity';
import { EntityList } from '@/components/entity-list/entity-list';
import { useField } from '@/components/form/use-field';
import { blueprintQuery } from '@/lib/blueprint';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { unschedulable } from '@/lib/schedulable';
import { useDebounced } from '@/lib/use-debounced';
import { useList } from '@/lib/use-collection';
import type { Blueprint } from '@/lib/wire';
import { tasks as t } from '@/messages/tasks';
import { blueprints } from '@/stores/blueprints-store/blueprints';
import type { CheckedTask, TaskFields } from './task-schema';
import styles from './tasks.module.css';

type ShownBlueprint = DeepReadonly<Blueprint>;

const words: EntityWords = {
  list: t('blueprint.list'),
  search: t('blueprint.search'),
  count: (count) => t('blueprint.count', { count }),
  none: t('blueprint.none'),
  loading: t('blueprint.loading'),
  failed: t('blueprint.failed'),
};

const columns: readonly EntityColumn<ShownBlueprint>[] = [
  { id: 'name', label: t('blueprint.name'), cell: ({ name }) => name },
  { id: 'note', label: t('blueprint.note'), cell: (blueprint) => <Note blueprint={blueprint} /> },
];

/** How many steps it has, or why it cannot be chosen. */
function Note({ blueprint }: { blueprint: ShownBlueprint }) {
  const reason = unschedulable(blueprint);
  const text = reason ?? t('blueprint.steps', { count: blueprint.steps.length });
  return (
    <Text size="1" color="gray" title={text}>
      {text}
    </Text>
  );
}

/** The height in px within which the list scrolls. */
const height = 320;

/**
 * Chooses the one blueprint that a task runs. Blueprints that need inputs are listed, and say why they cannot be
 * chosen.
 */
export function BlueprintField({ control }: { control: Control<TaskFields, unknown, CheckedTask> }) {
  const { value, onChange, ref, problem } = useField<TaskFields, number | null>(control, 'icebreaker');
  const [query, setQuery] = useState<ListQuery>({
    segment: 'all',
    project: null,
    search: '',
    view: 'list',
    sort: null,
  });
  const asked = blueprintQuery({ search: useDebounced(query.search.trim()) });
  const { items, status, count, more } = useList(blueprints, asked);
  const disabled = items.filter((blueprint) => unschedulable(blueprint) !== null).map(({ id }) => id);
  return (
    <div
      ref={ref}
      aria-invalid={problem !== undefined}
      aria-describedby="blueprint-problem"
      tabIndex={-1}
      className={styles.choice}
    >
      <Text as="p" size="2" color="gray" mb="3">
        {t('blueprint.hint')}
      </Text>
      <EntityList
        words={words}
        items={items}
        status={status}
        count={count}
        query={query}
        onQuery={(changes) => setQuery((now) => ({ ...now, ...changes }))}
        columns={columns}
        height={height}
        selection={{
          single: true,
          selected: value === null ? [] : [value],
          disabled,
          onToggle: (id) => onChange(Number(id)),
        }}
        onPick={({ name }) => setQuery((now) => ({ ...now, search: name }))}
        empty={{ icon: <ListChecks size={22} />, text: t('blueprint.empty') }}
        onRetry={() => void blueprints.refresh(asked)}
        more={more ? { loading: status === 'updating', onMore: () => void blueprints.more(asked) } : null}
      />
      <Text as="p" id="blueprint-problem" size="1" color="red" mt="2" role="alert">
        {problem}
      </Text>
    </div>
  );
}
