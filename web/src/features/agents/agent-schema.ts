import * as z from 'zod/mini';
import type { GrantChange } from '@/lib/access';
import { agentLimits, agentListMax, controllers } from '@/lib/agent';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { optionalText } from '@/lib/rules';
import type { Analyst, AnalystRequest } from '@/lib/wire';
import { agents as t } from '@/messages/agents';

const instructions = optionalText(t('form.long'), agentLimits.instructions);
const ids = z.array(z.number()).check(z.maxLength(agentListMax, t('form.many')));

const section = z.object({
  enabled: z.boolean(),
  specialInstructions: instructions,
  memoryLabels: ids,
  memories: ids,
});

/** The values of an agent's editor. Fields have the server's names, so that its messages can be assigned to them. */
export const agentSchema = z
  .object({
    general: z.object({ enabled: z.boolean() }),
    name: optionalText(t('form.name.long'), agentLimits.name),
    description: optionalText(t('form.long'), agentLimits.description),
    controller: z.nullable(z.string()),
    provider: z.nullable(z.string()),
    model: z.nullable(z.string()),
    instructions,
    projectLabels: ids,
    picture: z.string(),
    knowledgeBase: section,
    chartReview: section,
    connectors: ids,
    insights: section,
    summary: z.object({
      enabled: z.boolean(),
      name: optionalText(t('form.long'), agentLimits.name),
      specialInstructions: instructions,
    }),
    access: z.array(z.custom<GrantChange>()),
  })
  .check(
    // A step that is turned off has no required fields: the server gives a new agent a name then.
    z.refine(({ general, name }) => !general.enabled || name !== '', {
      path: ['name'],
      error: t('form.name.required'),
    }),
  );

export type AgentValues = z.input<typeof agentSchema>;

type Section = AgentValues['knowledgeBase'];

function sectionValues(held: DeepReadonly<Partial<Section>> | undefined): Section {
  return {
    enabled: held?.enabled ?? true,
    specialInstructions: held?.specialInstructions ?? '',
    memoryLabels: [...(held?.memoryLabels ?? [])],
    memories: [...(held?.memories ?? [])],
  };
}

/** What the first step asks for. */
function generalValues(agent: DeepReadonly<Analyst> | null) {
  return {
    general: { enabled: agent?.general?.enabled ?? true },
    name: agent?.name ?? '',
    description: agent?.description ?? '',
    controller: agent?.agent ?? controllers[0],
    provider: agent?.agentParams.modelProvider ?? null,
    model: agent?.model ?? null,
    instructions: agent?.instructions ?? '',
    projectLabels: agent?.projectLabels.map(({ id }) => id) ?? [],
    picture: agent?.picture ?? '',
  };
}

/** The initial values of the editor: of an existing agent, or of a new one. */
export function agentValues(agent: DeepReadonly<Analyst> | null): AgentValues {
  return {
    ...generalValues(agent),
    knowledgeBase: sectionValues(agent?.knowledgeBase),
    chartReview: sectionValues(agent?.chartReview),
    connectors: [...(agent?.connectors ?? [])],
    insights: sectionValues(agent?.insights),
    summary: {
      enabled: agent?.summary?.enabled ?? true,
      name: agent?.summary?.name ?? '',
      specialInstructions: agent?.summary?.specialInstructions ?? '',
    },
    access: [],
  };
}

/** The request to send. `version` is that of the agent that was edited; access is saved with a separate call. */
export function agentRequest(values: AgentValues, version: number | undefined): AnalystRequest {
  const { name, controller, provider, model, access: _, ...rest } = values;
  return {
    ...rest,
    // Without a choice or a name, the server chooses by itself.
    ...(name !== '' && { agentName: name }),
    ...(controller !== null && { controller }),
    ...(provider !== null && { provider }),
    ...(model !== null && { model }),
    ...(version !== undefined && { version }),
  };
}
