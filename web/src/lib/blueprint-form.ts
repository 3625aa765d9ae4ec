import type { DeepReadonly } from './deep-readonly';
import type { Blueprint, BlueprintRequest } from './wire';

/** The sections of a step that people add and remove. */
export const stepSections = [
  'analyst',
  'detailedInstructions',
  'qaInstructions',
  'code',
  'memories',
] as const;

export type StepSection = (typeof stepSections)[number];

/** The form values of a step. A section that is not shown has its empty value. */
export interface StepValues {
  /** `null` until the server has given it one. */
  id: number | null;
  name: string;
  sections: StepSection[];
  analyst: number | null;
  detailedInstructions: string;
  qaInstructions: string;
  code: string;
  language: string;
  memories: number[];
}

/** The form values of a blueprint. */
export interface BlueprintValues {
  name: string;
  description: string;
  projectLabels: number[];
  dataSources: number[];
  /** One per line: a name, or a name and a hint after a colon. */
  inputParameters: string;
  initialMessage: string;
  steps: StepValues[];
}

const noSections: Omit<StepValues, 'id' | 'name' | 'sections'> = {
  analyst: null,
  detailedInstructions: '',
  qaInstructions: '',
  code: '',
  language: 'python',
  memories: [],
};

/** A new step, with the section that nearly every step has. */
export function newStep(name: string): StepValues {
  return { ...noSections, id: null, name, sections: ['detailedInstructions'] };
}

/** The form values of a new blueprint, with its first step. */
export function newBlueprint(firstStep: string): BlueprintValues {
  return {
    name: '',
    description: '',
    projectLabels: [],
    dataSources: [],
    inputParameters: '',
    initialMessage: '',
    steps: [newStep(firstStep)],
  };
}

type WireStep = DeepReadonly<Blueprint>['steps'][number];

function stepValues(step: WireStep): StepValues {
  const { id, name, language, memories, analyst } = step;
  const texts = {
    detailedInstructions: step.detailedInstructions ?? '',
    qaInstructions: step.qaInstructions ?? '',
    code: step.code ?? '',
  };
  const shown: Record<StepSection, boolean> = {
    analyst: analyst !== null,
    detailedInstructions: texts.detailedInstructions !== '',
    qaInstructions: texts.qaInstructions !== '',
    code: texts.code !== '',
    memories: memories.length > 0,
  };
  const sections = stepSections.filter((section) => shown[section]);
  return { id, name, sections, analyst, ...texts, language, memories: [...memories] };
}

/** The form values of an existing blueprint. */
export function blueprintValues(blueprint: DeepReadonly<Blueprint>): BlueprintValues {
  const { name, description, projectLabels, dataSources, inputParameters, initialMessage, steps } = blueprint;
  return {
    name,
    description,
    projectLabels: projectLabels.map((label) => label.id),
    dataSources: [...dataSources],
    inputParameters,
    initialMessage,
    steps: steps.map(stepValues),
  };
}

/** Removes a section with its content. */
export function withoutSection(step: StepValues, section: StepSection): StepValues {
  const sections = step.sections.filter((one) => one !== section);
  const { language } = step;
  return {
    ...step,
    [section]: noSections[section],
    language: section === 'code' ? noSections.language : language,
    sections,
  };
}

/** Adds a section; the sections are in a fixed order. */
export function withSection(step: StepValues, section: StepSection): StepValues {
  return { ...step, sections: stepSections.filter((one) => one === section || step.sections.includes(one)) };
}

const equal = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((id) => other.includes(id));

/**
 * The request for a form. `base` is the state of the server that the form was filled from; `null` for a new
 * blueprint. A step that the server no longer has is sent as a new one; a step that only the server has is removed.
 */
export function blueprintRequest(
  values: BlueprintValues,
  base: DeepReadonly<Blueprint> | null,
): BlueprintRequest {
  const there = new Set(base?.steps.map((step) => step.id));
  const kept = new Set(values.steps.map((step) => step.id));
  return {
    name: values.name.trim(),
    description: values.description.trim(),
    projectLabels: values.projectLabels,
    // Connectors that this person may not use are not in the form: they are kept as long as the list is not
    // changed.
    ...(base && equal(values.dataSources, base.dataSources) ? {} : { dataSources: values.dataSources }),
    inputParameters: values.inputParameters,
    initialMessage: values.initialMessage,
    shareWithOrganization: false,
    steps: values.steps.map((step, index) => ({
      ...(step.id !== null && there.has(step.id) && { id: step.id }),
      name: step.name.trim(),
      order: index + 1,
      detailedInstructions: step.sections.includes('detailedInstructions') ? step.detailedInstructions : null,
      qaInstructions: step.sections.includes('qaInstructions') ? step.qaInstructions : null,
      code: step.sections.includes('code') ? step.code : null,
      language: step.language,
      memories: step.memories,
      analyst: step.analyst,
    })),
    ...(base && {
      removedSteps: base.steps.map((step) => step.id).filter((id) => !kept.has(id)),
      version: base.version,
    }),
  };
}
