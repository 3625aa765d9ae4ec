import { Badge } from '@radix-ui/themes';
import type { EntityColumn } from '@/components/entity-list/entity';
import { ProjectTags } from '@/components/project/project-tag';
import { formatDay } from '@/lib/format';
import { locale } from '@/lib/locale';
import { blueprints as t } from '@/messages/blueprints';
import type { BlueprintSummary } from './blueprint';
import styles from './blueprint.module.css';

const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });

/** The columns of the table. */
export function blueprintColumns(showOwner: boolean): readonly EntityColumn<BlueprintSummary>[] {
  const owner: EntityColumn<BlueprintSummary> = {
    id: 'owner',
    label: t('table.owner'),
    cell: ({ isLibrary, owner: person }) =>
      isLibrary ? <Badge variant="soft">{t('library.one')}</Badge> : person?.fullName,
    width: '150px',
  };
  return [
    {
      id: 'name',
      label: t('table.name'),
      cell: ({ name }) => <span className={styles.rowName}>{name}</span>,
      sort: (a, b) => collator.compare(a.name, b.name),
    },
    { id: 'description', label: t('table.description'), cell: ({ description }) => description },
    {
      id: 'project',
      label: t('table.project'),
      cell: ({ projectLabels }) => <ProjectTags projects={projectLabels} />,
      width: '150px',
    },
    {
      id: 'inputs',
      label: t('inputs'),
      cell: ({ inputs }) => inputs.length,
      width: '80px',
      align: 'end',
      sort: (a, b) => a.inputs.length - b.inputs.length,
    },
    {
      id: 'steps',
      label: t('steps'),
      cell: ({ steps }) => steps.length,
      width: '80px',
      align: 'end',
      sort: (a, b) => a.steps.length - b.steps.length,
    },
    ...(showOwner ? [owner] : []),
    {
      id: 'updated',
      label: t('table.updated'),
      cell: ({ updatedAt }) => formatDay(updatedAt),
      width: '120px',
      sort: (a, b) => a.updatedAt.localeCompare(b.updatedAt),
    },
  ];
}
