import { Choice } from '@/components/choice/choice';
import { entityList as t } from '@/messages/entity-list';
import { ProjectName, type ProjectSummary } from './project-tag';

interface ProjectSelectProps {
  projects: readonly ProjectSummary[];
  /** `null` for all projects. */
  value: number | null;
  onChange: (project: number | null) => void;
}

const everything = 'all';

/** Filters a list by a project. */
export function ProjectSelect({ projects, value, onChange }: ProjectSelectProps) {
  return (
    <Choice
      label={t('projects.label')}
      options={[
        { value: everything, label: t('projects.all') },
        ...projects.map((project) => ({
          value: String(project.id),
          label: <ProjectName project={project} />,
        })),
      ]}
      value={value === null ? everything : String(value)}
      onChange={(chosen) => onChange(chosen === everything ? null : Number(chosen))}
    />
  );
}
