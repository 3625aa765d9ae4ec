import { cx } from '@/lib/cx';
import { colorClasses, hexColor } from './project-color';
import styles from './project.module.css';

/** The name and the colour of a project. */
export interface ProjectSummary {
  readonly id: number;
  readonly name: string;
  /** One of the named colours, or `#rrggbb`. */
  readonly color: string;
}

/** The colour of a project as a dot. It is decorative: the name is next to it. */
export function ProjectDot({ color, large = false }: { color: string; large?: boolean }) {
  return (
    <span
      className={cx(styles.dot, large && styles.large, colorClasses[color])}
      aria-hidden="true"
      // A colour that people chose themselves cannot be in a style sheet.
      {...(hexColor.test(color) && { style: { background: color } })}
    />
  );
}

/** A project by colour and name, independent of the layout around it; a long name is cut. */
export function ProjectName({ project }: { project: ProjectSummary }) {
  return (
    <span className={styles.project} title={project.name}>
      <ProjectDot color={project.color} />
      <span className={styles.name}>{project.name}</span>
    </span>
  );
}

/** Projects by colour and name, in one line; what does not fit is cut, and shown in full on hover. */
export function ProjectTags({ projects }: { projects: readonly ProjectSummary[] }) {
  if (projects.length === 0) return null;
  return (
    <span className={styles.tags} title={projects.map(({ name }) => name).join(', ')}>
      {projects.map((project) => (
        <ProjectName key={project.id} project={project} />
      ))}
    </span>
  );
}
