import { useEffect } from 'react';
import { useSnapshot } from 'valtio';
import { SeveralField } from '@/components/form/combobox-field';
import type { FormControl } from '@/components/form/form-types';
import { TextArea } from '@/components/form/text-area';
import { agentLimits, agentListMax, type AgentSection } from '@/lib/agent';
import { isFirstLoad } from '@/lib/load-status';
import type { MemoryQuery } from '@/lib/memory';
import { useList } from '@/lib/use-collection';
import { agents as t } from '@/messages/agents';
import { memories as memoryTexts } from '@/messages/memories';
import { loadMemoryWords, memories, memoryWords } from '@/stores/memories-store';
import type { AgentValues } from './agent-schema';

interface SectionStepProps {
  control: FormControl<AgentValues>;
  section: AgentSection;
}

/** All of them at once, so that the names of the chosen ones are known: 1,000 is the largest page of a list. */
const everyMemory: MemoryQuery = { specialist: null, label: null, type: null, search: '', size: 1_000 };

/** The step of one specialist: its instructions and its memories. */
export function SectionStep({ control, section }: SectionStepProps) {
  const { status, labels } = useSnapshot(memoryWords);
  const { items, status: memoriesStatus } = useList(memories, everyMemory);

  useEffect(() => void loadMemoryWords(), []);

  return (
    <>
      <TextArea
        control={control}
        name={`${section}.specialInstructions`}
        label={t('form.special')}
        description={t(`form.special.${section}`)}
        limit={agentLimits.instructions}
        rows={5}
      />
      <SeveralField
        control={control}
        name={`${section}.memoryLabels`}
        label={t('form.labels')}
        description={t('form.labels.hint')}
        choices={labels.map(({ id, name }) => ({ value: id, label: name }))}
        loading={isFirstLoad(status)}
        max={agentListMax}
      />
      <SeveralField
        control={control}
        name={`${section}.memories`}
        label={t('form.memories')}
        description={t('form.memories.hint')}
        choices={items.map(({ id, name, index, isEnabled }) => ({
          value: id,
          label: name,
          detail: isEnabled ? index : `${memoryTexts('card.off')} · ${index}`,
        }))}
        loading={isFirstLoad(memoriesStatus)}
        max={agentListMax}
      />
    </>
  );
}
