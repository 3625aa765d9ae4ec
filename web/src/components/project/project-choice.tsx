import { CheckboxGroup, Flex, Text, TextField } from '@radix-ui/themes';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { projects as t } from '@/messages/projects';
import { ProjectName, type ProjectSummary } from './project-tag';
import styles from './project.module.css';

interface ProjectChoiceProps {
  projects: readonly ProjectSummary[];
  /** The ids of the chosen projects. */
  value: readonly number[];
  onChange: (ids: number[]) => void;
}

/** Up to this number of projects are listed without a search. */
const few = 8;

/** Chooses any number of projects. */
export function ProjectChoice({ projects, value, onChange }: ProjectChoiceProps) {
  const [words, setWords] = useState('');
  const needle = words.trim().toLowerCase();
  const shown = projects.filter(({ name }) => name.toLowerCase().includes(needle));
  const hidden = value.filter((id) => !shown.some((project) => project.id === id));

  if (projects.length === 0) {
    return (
      <Text as="p" size="2" color="gray">
        {t('choice.none')}
      </Text>
    );
  }
  return (
    <Flex direction="column" gap="3">
      {projects.length > few && (
        <TextField.Root
          placeholder={t('choice.search')}
          aria-label={t('choice.search')}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        >
          <TextField.Slot>
            <Search size={16} />
          </TextField.Slot>
        </TextField.Root>
      )}
      <CheckboxGroup.Root
        className={styles.choice ?? ''}
        aria-label={t('choice')}
        value={value.map(String)}
        // Projects that the search hides stay chosen.
        onValueChange={(ids) => onChange([...new Set([...hidden, ...ids.map(Number)])])}
      >
        {shown.map((project) => (
          <CheckboxGroup.Item key={project.id} value={String(project.id)}>
            <ProjectName project={project} />
          </CheckboxGroup.Item>
        ))}
      </CheckboxGroup.Root>
      {shown.length === 0 && (
        <Text as="p" size="2" color="gray">
          {t('choice.nothing')}
        </Text>
      )}
    </Flex>
  );
}
