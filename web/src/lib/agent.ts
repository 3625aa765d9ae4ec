import { limitsOfAnalystRequest as limits } from '@/api/limits.gen';

/** The scopes of a list of agents. */
export const agentScopes = ['all', 'favorite', 'organization', 'owned', 'shared', 'recent'] as const;

export type AgentScope = (typeof agentScopes)[number];

/** The filters of a list of agents. */
export interface AgentQuery {
  readonly scope: AgentScope;
  readonly project: number | null;
  readonly search: string;
}

/** The limits of an agent's texts, in characters. */
export const agentLimits = {
  name: limits.agentName.characters,
  description: limits.description.characters,
  instructions: limits.instructions.characters,
} as const;

/** The maximum number of labels, memories, connectors or projects in a list of an agent. */
export const agentListMax = limits.connectors.entries;

/** The specialists of an agent that have a separate step with instructions and memories. */
export const agentSections = ['knowledgeBase', 'chartReview', 'insights'] as const;

export type AgentSection = (typeof agentSections)[number];

/** The steps that can be turned off. */
export const switchedSteps = ['general', 'chartReview', 'insights', 'summary'] as const;

export type SwitchedStep = (typeof switchedSteps)[number];

/** The controllers for agents: the server has one. */
export const controllers = ['analyst'] as const;
