import { Badge } from '@radix-ui/themes';
import { ListChecks } from 'lucide-react';
import type { EntityCardContent, EntityWords } from '@/components/entity-list/entity';
import { ProjectTags } from '@/components/project/project-tag';
import { formatDay } from '@/lib/format';
import { blueprints as t } from '@/messages/blueprints';
import type { BlueprintSummary } from './blueprint';
import { BlueprintOutline } from './blueprint-outline';

/** A title of two lines, a description, two inputs, three steps and the facts, in pixels. */
export const blueprintCardHeight = 324;

/** The texts of a list of blueprints. */
export const blueprintWords = (list: string = t('list')): EntityWords => ({
  list,
  search: t('list.search'),
  count: (count) => t('list.count', { count }),
  none: t('list.none'),
  loading: t('list.loading'),
  failed: t('list.failed'),
});

/** A blueprint as a card: what it is for, what it asks, what it does. Blueprints of the library have no owner. */
export const blueprintCard =
  (showOwner: boolean) =>
  (blueprint: BlueprintSummary): EntityCardContent => {
    const { description, inputs, steps, isLibrary, owner, updatedAt, projectLabels, abilities } = blueprint;
    return {
      icon: <ListChecks size={18} />,
      description,
      body: <BlueprintOutline inputs={inputs} steps={steps} />,
      facts: [
        showOwner && isLibrary && <Badge variant="soft">{t('library.one')}</Badge>,
        formatDay(updatedAt),
        projectLabels.length > 0 && <ProjectTags projects={projectLabels} />,
      ],
      owner: showOwner && !isLibrary ? owner : null,
      muted: !abilities.start,
    };
  };
