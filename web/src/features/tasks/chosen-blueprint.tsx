import { Heading, Link, Skeleton, Text } from '@radix-ui/themes';
import { useWatch, type Control } from 'react-hook-form';
import { Link as RouterLink } from 'react-router';
import { useSnapshot } from 'valtio';
import { paths } from '@/lib/paths';
import { useEntity } from '@/lib/use-collection';
import { tasks as t } from '@/messages/tasks';
import { blueprints } from '@/stores/blueprints-store/blueprints';
import type { CheckedTask, TaskFields } from './task-schema';

interface BlueprintSummaryProps {
  control: Control<TaskFields, unknown, CheckedTask>;
}

/** The name of the chosen blueprint, if it is known. */
export function BlueprintSummary({ control }: BlueprintSummaryProps) {
  const id = useWatch({ control, name: 'icebreaker' });
  const { byId } = useSnapshot(blueprints.state);
  return id === null ? null : byId[id]?.name;
}

/** The blueprint that a task runs. */
export function ChosenBlueprint({ id }: { id: number }) {
  const { status, entity } = useEntity(blueprints, id);
  if (entity === null) {
    if (status === 'loading' || status === 'refreshing') {
      return (
        <div role="status" aria-label={t('blueprint.loading')}>
          <Skeleton height="64px" />
        </div>
      );
    }
    return (
      <Text as="p" size="2" color="gray">
        {status === 'gone' ? t('blueprint.gone') : t('blueprint.failed')}
      </Text>
    );
  }
  return (
    <div>
      <Heading as="h3" size="3">
        {entity.name}
      </Heading>
      {entity.description !== '' && (
        <Text as="p" size="2" color="gray" mt="1">
          {entity.description}
        </Text>
      )}
      <Text as="p" size="2" mt="2">
        {t('blueprint.steps', { count: entity.steps.length })}
      </Text>
      <Link asChild size="2" mt="2">
        <RouterLink to={paths.blueprint(id)}>{t('blueprint.open')}</RouterLink>
      </Link>
    </div>
  );
}
