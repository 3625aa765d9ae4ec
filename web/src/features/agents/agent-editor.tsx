import { useRef, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { ConfirmDialog } from '@/components/confirm-dialog/confirm-dialog';
import { useSchemaForm } from '@/components/form/use-schema-form';
import { StepForm } from '@/components/step-form/step-form';
import type { SwitchedStep } from '@/lib/agent';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { paths } from '@/lib/paths';
import type { SubmitFailure } from '@/lib/submit-failure';
import type { Analyst } from '@/lib/wire';
import { agents as t } from '@/messages/agents';
import { save } from './agent-changes';
import { agentRequest, agentSchema, agentValues, type AgentValues } from './agent-schema';
import { agentSteps } from './agent-steps';

interface AgentEditorProps {
  /** The last state from the server; `null` makes a new one. */
  agent: DeepReadonly<Analyst> | null;
  readOnly: boolean;
  /** The content of the other steps is shown next to them if there is space. */
  withSummaries: boolean;
  /** Called with the saved agent. */
  onSaved: (agent: Analyst) => void;
  onCancel: () => void;
}

/** The seven steps of an agent. */
export function AgentEditor({ agent, readOnly, withSummaries, onSaved, onCancel }: AgentEditorProps) {
  // Switching it on or off outside of the editor must not change what is being typed.
  const [opened] = useState(agent);
  const form = useSchemaForm(agentSchema, agentValues(opened));
  const values = useWatch({ control: form.control }) as AgentValues;
  const [asking, setAsking] = useState<SwitchedStep | null>(null);
  const saved = useRef<Analyst | null>(null);
  // The agent that the form was filled from, as it was opened or last saved.
  const base = useRef(opened);
  // The list of people with access is loaded again after each save.
  const [saves, setSaves] = useState(0);
  const isNew = opened === null;

  function turn(step: SwitchedStep, isOn: boolean): void {
    if (isOn) form.setValue(`${step}.enabled`, true, { shouldDirty: true });
    else setAsking(step);
  }

  async function submit(given: AgentValues): Promise<SubmitFailure | null> {
    const { agent: answer, failure } = await save(
      opened?.id ?? null,
      agentRequest(given, versionToReplace(base.current, agent)),
      given.access,
    );
    saved.current = answer;
    if (answer !== null) base.current = answer;
    return failure;
  }

  function done(): void {
    if (saved.current === null) return;
    // The values are those that the server saved: what it dropped silently, such as a deleted memory, is not shown
    // as saved.
    form.reset(agentValues(saved.current));
    setSaves(saves + 1);
    onSaved(saved.current);
  }

  const steps = agentSteps({ form, values, agent: opened, onTurn: turn, accessKey: saves });

  return (
    <>
      <StepForm
        form={form}
        schema={agentSchema}
        steps={withSummaries ? steps : steps.map((step) => ({ ...step, summary: undefined }))}
        isNew={isNew}
        readOnly={readOnly}
        // Trying the agent next to its editor keeps what is being typed.
        within={opened === null ? undefined : paths.agentEdit(opened.id)}
        submitLabel={t(isNew ? 'form.create' : 'form.save')}
        busyLabel={t(isNew ? 'form.creating' : 'form.saving')}
        onSubmit={submit}
        onDone={done}
        onCancel={onCancel}
      />
      {asking !== null && (
        <ConfirmDialog
          open
          onOpenChange={() => setAsking(null)}
          title={t('off.title')}
          confirmLabel={t('off.confirm')}
          onConfirm={() => {
            form.setValue(`${asking}.enabled`, false, { shouldDirty: true });
            return Promise.resolve(true);
          }}
        >
          {t(`off.${asking}.ask`)}
        </ConfirmDialog>
      )}
    </>
  );
}

/**
 * The version that a save may replace. Switching the agent on or off changes its version, but nothing that the form
 * holds: then it is the newest one. After another person's change of what the form holds it stays the version from
 * which the form was filled, and the server refuses to overwrite that change.
 */
function versionToReplace(
  base: DeepReadonly<Analyst> | null,
  newest: DeepReadonly<Analyst> | null,
): number | undefined {
  const isUnchanged = JSON.stringify(agentValues(base)) === JSON.stringify(agentValues(newest));
  return (isUnchanged ? newest : base)?.version;
}
