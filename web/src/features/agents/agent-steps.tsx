import type { UseFormReturn } from 'react-hook-form';
import type { FormStep } from '@/components/step-form/step-form';
import { agentSections, type AgentSection, type SwitchedStep } from '@/lib/agent';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { characterCount } from '@/lib/text';
import type { Analyst } from '@/lib/wire';
import { agents as t } from '@/messages/agents';
import { AccessStep } from './access-step';
import type { AgentValues } from './agent-schema';
import { ConnectorsStep } from './connectors-step';
import { GeneralStep } from './general-step';
import { SectionStep } from './section-step';
import { SummaryStep } from './summary-step';

interface StepsOf {
  form: UseFormReturn<AgentValues, unknown, AgentValues>;
  values: AgentValues;
  agent: DeepReadonly<Analyst> | null;
  /** Turning a step off asks for confirmation, turning it on does not. */
  onTurn: (step: SwitchedStep, isOn: boolean) => void;
  /** A new value causes the list of access to be loaded again. */
  accessKey: number;
}

/** The seven steps of an agent, in their order. */
export function agentSteps({ form, values, agent, onTurn, accessKey }: StepsOf): FormStep<AgentValues>[] {
  const { control } = form;
  const toggle = (step: SwitchedStep): Required<FormStep<AgentValues>>['toggle'] => ({
    label: t('off.switch', { step: t(`step.${step}`) }),
    isOn: values[step].enabled,
    onChange: (isOn) => onTurn(step, isOn),
    offText: t(`off.${step}`),
  });
  const section = (name: AgentSection): FormStep<AgentValues> => ({
    id: name,
    label: t(`step.${name}`),
    fields: [name],
    content: <SectionStep key={name} control={control} section={name} />,
    summary: sectionSummary(values[name]),
    ...(name !== 'knowledgeBase' && { toggle: toggle(name) }),
  });
  const [knowledgeBase, chartReview, insights] = agentSections;
  return [
    {
      id: 'general',
      label: t('step.general'),
      fields: [
        'name',
        'description',
        'controller',
        'provider',
        'model',
        'instructions',
        'projectLabels',
        'picture',
        'general',
      ],
      content: <GeneralStep form={form} />,
      summary: values.general.enabled
        ? [values.name, values.model].filter((part) => part !== '' && part !== null).join(' · ')
        : t('summary.off'),
      // Other agents use the general settings of the default agent instead.
      ...(agent?.isDefault !== true && { toggle: toggle('general') }),
    },
    section(knowledgeBase),
    section(chartReview),
    {
      id: 'connectors',
      label: t('step.connectors'),
      fields: ['connectors'],
      content: <ConnectorsStep control={control} />,
      summary: counted('summary.connectors', values.connectors.length) ?? t('summary.none'),
    },
    section(insights),
    {
      id: 'summary',
      label: t('step.summary'),
      fields: ['summary'],
      content: <SummaryStep control={control} />,
      summary: sectionSummary(values.summary),
      toggle: toggle('summary'),
    },
    {
      id: 'access',
      label: t('step.access'),
      fields: ['access'],
      content: <AccessStep key={accessKey} control={control} agent={agent} />,
      ...(values.access.length > 0 && { summary: t('access.unsaved', { count: values.access.length }) }),
    },
  ];
}

function counted(
  id: 'summary.connectors' | 'summary.labels' | 'summary.memories',
  count: number,
): string | null {
  return count === 0 ? null : t(id, { count });
}

interface Section {
  enabled: boolean;
  specialInstructions: string;
  name?: string;
  memoryLabels?: readonly number[];
  memories?: readonly number[];
}

/** The content of a specialist's step, in few words. */
function sectionSummary({
  enabled,
  specialInstructions,
  name = '',
  memoryLabels,
  memories,
}: Section): string {
  if (!enabled) return t('summary.off');
  const count = characterCount(specialInstructions);
  const parts = [
    name === '' ? null : name,
    count === 0 ? null : t('summary.instructions', { count }),
    counted('summary.labels', memoryLabels?.length ?? 0),
    counted('summary.memories', memories?.length ?? 0),
  ].filter((part) => part !== null);
  return parts.length === 0 ? t('summary.none') : parts.join(' · ');
}
