import { Button, Flex } from '@radix-ui/themes';
import { Pencil } from 'lucide-react';
import { useEffect } from 'react';
import { Link, useNavigate } from 'react-router';
import { useSnapshot } from 'valtio';
import { Page } from '@/components/page/page';
import { ProjectDot } from '@/components/project/project-tag';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { formatAgo, formatDay } from '@/lib/format';
import { paths } from '@/lib/paths';
import { useNow } from '@/lib/use-now';
import type { ProjectLabel } from '@/lib/wire';
import { projects as t } from '@/messages/projects';
import { meState } from '@/stores/me-store';
import { projectContent, refreshProjectContent } from '@/stores/project-content-store';
import { ContentSection } from './content-section';
import { ProjectMenu } from './project-menu';
import { ProjectMissing } from './project-missing';
import styles from './projects.module.css';
import { useProject } from './use-project';

/** `/projects/{id}`: the items that belong to a project. */
function ProjectPage() {
  const { status, project } = useProject();
  return status === 'ready' ? <Project project={project} /> : <ProjectMissing status={status} />;
}

function Project({ project }: { project: DeepReadonly<ProjectLabel> }) {
  const { id, name, description, color, owner, abilities } = project;
  const navigate = useNavigate();
  const { user } = useSnapshot(meState);
  const now = useNow();

  useEffect(() => void refreshProjectContent(id), [id]);

  return (
    <Page
      wide
      title={name}
      subtitle={description}
      actions={
        <Flex gap="4" align="center">
          <ProjectMenu project={project} onDeleted={() => void navigate(paths.projects)} />
          {abilities.edit && (
            <Button asChild variant="soft">
              <Link to={paths.projectEdit(id)}>
                <Pencil size={15} aria-hidden="true" /> {t('edit')}
              </Link>
            </Button>
          )}
        </Flex>
      }
    >
      <p className={styles.facts}>
        <ProjectDot color={color} large />
        <span>{t('owner', { name: owner.fullName })}</span>
      </p>
      <div className={styles.sections}>
        <ContentSection
          title={t('conversations')}
          none={t('conversations.none')}
          failed={t('conversations.failed')}
          collection={projectContent.conversations}
          project={id}
          row={(one) => ({
            to: paths.conversation(one.id),
            name: one.name,
            note: formatAgo(one.updatedAt, now),
          })}
        />
        <ContentSection
          title={t('connectors')}
          none={t('connectors.none')}
          failed={t('connectors.failed')}
          collection={projectContent.dataSources}
          project={id}
          row={(one) => ({ to: paths.dataSource(one.id), name: one.name, note: one.description })}
        />
        <ContentSection
          title={t('blueprints')}
          none={t('blueprints.none')}
          failed={t('blueprints.failed')}
          collection={projectContent.blueprints}
          project={id}
          row={(one) => ({ to: paths.blueprint(one.id), name: one.name, note: one.description })}
        />
        {user?.flags.scheduledTaskView === true && (
          <ContentSection
            title={t('tasks')}
            none={t('tasks.none')}
            failed={t('tasks.failed')}
            collection={projectContent.tasks}
            project={id}
            row={(one) => ({
              to: paths.task(one.id),
              name: one.name,
              note:
                one.nextRunAt === null ? t('tasks.off') : t('tasks.next', { time: formatDay(one.nextRunAt) }),
            })}
          />
        )}
      </div>
    </Page>
  );
}

export { ProjectPage as Component };
