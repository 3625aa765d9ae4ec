import type { FormControl } from '@/components/form/form-types';
import { TextArea } from '@/components/form/text-area';
import { TextField } from '@/components/form/text-field';
import { agentLimits } from '@/lib/agent';
import { agents as t } from '@/messages/agents';
import type { AgentValues } from './agent-schema';

/** The step of the message that closes an answer. */
export function SummaryStep({ control }: { control: FormControl<AgentValues> }) {
  return (
    <>
      <TextField
        control={control}
        name="summary.name"
        label={t('form.summary.name')}
        description={t('form.summary.name.hint')}
        limit={agentLimits.name}
      />
      <TextArea
        control={control}
        name="summary.specialInstructions"
        label={t('form.special')}
        description={t('form.special.summary')}
        limit={agentLimits.instructions}
        rows={5}
      />
    </>
  );
}
