import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { SeveralField } from '@/components/form/combobox-field';
import { blueprintLimits } from '@/lib/blueprint-rules';
import { useList } from '@/lib/use-collection';
import { useDebounced } from '@/lib/use-debounced';
import { blueprintEditor as t } from '@/messages/blueprint-editor';
import { memories } from '@/stores/memories-store';
import type { BlueprintControl } from './editor-form';
import { memoryChoices, useMemoryNames } from './use-memory-names';

interface StepMemoriesProps {
  control: BlueprintControl;
  name: `steps.${number}.memories`;
}

/** The memories that the agent uses in a step. */
export function StepMemories({ control, name }: StepMemoriesProps) {
  const [words, setWords] = useState('');
  const search = useDebounced(words.trim());
  const query = memoryChoices(search);
  const { items, status, more } = useList(memories, query);
  const chosen = useWatch({ control, name });
  const known = useMemoryNames(chosen);
  return (
    <SeveralField
      control={control}
      name={name}
      label={t('section.memories')}
      description={t('section.memories.help')}
      choices={items.map(({ id, name: label, index }) => ({ value: id, label, detail: index }))}
      known={known.map(({ id, name: label }) => ({ value: id, label }))}
      loading={status === 'fetching' || status === 'updating'}
      onSearch={setWords}
      {...(more && { onMore: () => void memories.more(query) })}
      max={blueprintLimits.memories}
    />
  );
}
