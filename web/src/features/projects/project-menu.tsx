import { EntityMenu } from '@/components/entity-menu/entity-menu';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { paths } from '@/lib/paths';
import type { ProjectLabel } from '@/lib/wire';
import { projects as t } from '@/messages/projects';
import { removeProject } from './project-actions';

interface ProjectMenuProps {
  project: DeepReadonly<ProjectLabel>;
  inList?: boolean;
  /** The page to open after it is deleted. */
  onDeleted?: () => void;
}

/** The actions for a project, for its owner and superusers. */
export function ProjectMenu({ project, inList = false, onDeleted }: ProjectMenuProps) {
  const { id, name, abilities, conversations } = project;
  return (
    <EntityMenu
      name={name}
      inList={inList}
      actions={{
        edit: {
          to: paths.projectEdit(id),
          disabledReason: abilities.edit ? undefined : t('cannot.change'),
        },
        remove: {
          title: t('delete.title'),
          text: t('delete.text', { name, count: conversations }),
          disabledReason: abilities.delete ? undefined : t('cannot.change'),
          onConfirm: async () => {
            const done = await removeProject(id);
            if (done) onDeleted?.();
            return done;
          },
        },
      }}
    />
  );
}
