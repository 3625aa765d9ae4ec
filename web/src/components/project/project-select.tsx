import { Select } from '@radix-ui/themes';
import { entityList as t } from '@/messages/entity-list';
import { ProjectName, type ProjectSummary } from './project-tag';

interface ProjectSelectProps {
  projects: readonly ProjectSummary[];
  /** `null` for all projects. */
  value: number | null;
  onChange: (project: number | null) => void;
}

const everything = 'all';

/** Narrows a list to one project. */
export function ProjectSelect({ projects, value, onChange }: ProjectSelectProps) {
  return (
    <Select.Root
      value={value === null ? everything : String(value)}
      onValueChange={(chosen) => onChange(chosen === everything ? null : Number(chosen))}
    >
      <Select.Trigger aria-label={t('projects.label')} />
      <Select.Content position="popper">
        <Select.Item value={everything}>{t('projects.all')}</Select.Item>
        {projects.map((project) => (
          <Select.Item key={project.id} value={String(project.id)}>
            <ProjectName project={project} />
          </Select.Item>
        ))}
      </Select.Content>
    </Select.Root>
  );
}
