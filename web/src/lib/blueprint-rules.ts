import * as z from 'zod/mini';
import {
  limitsOfBlueprintInput,
  limitsOfBlueprintRequest as ofBlueprint,
  limitsOfBlueprintStepRequest as ofStep,
} from '@/api/limits.gen';
import { blueprintRules as t } from '@/messages/blueprint-rules';
import { stepSections, type BlueprintValues, type StepSection, type StepValues } from './blueprint-form';
import { parseInputs } from './blueprint-message';
import { characterCount } from './text';

/** The limits of the server, in characters as people count them if they are for a text. */
export const blueprintLimits = {
  name: ofBlueprint.name.characters,
  description: ofBlueprint.description.characters,
  initialMessage: ofBlueprint.initialMessage.characters,
  inputParameters: ofBlueprint.inputParameters.characters,
  inputs: ofBlueprint.inputParameters.entries,
  inputName: limitsOfBlueprintInput.name.characters,
  projectLabels: ofBlueprint.projectLabels.entries,
  dataSources: ofBlueprint.dataSources.entries,
  steps: ofBlueprint.steps.entries,
  stepName: ofStep.name.characters,
  detailedInstructions: ofStep.detailedInstructions.characters,
  qaInstructions: ofStep.qaInstructions.characters,
  code: ofStep.code.characters,
  memories: ofStep.memories.entries,
} as const;

const blank = (text: string): boolean => text.trim() === '';
const over = (text: string, limit: number): boolean => text.length > limit && characterCount(text) > limit;

const textSections = ['detailedInstructions', 'qaInstructions', 'code'] as const;

/** The message about a section that is shown, if there is one. */
function sectionProblem(section: (typeof textSections)[number], text: string): string | undefined {
  if (text === '') return t(`${section}.missing`);
  if (blank(text)) return t(`${section}.blank`);
  return over(text, blueprintLimits[section]) ? t(`${section}.long`) : undefined;
}

const stepSchema = z
  .object({
    id: z.nullable(z.number()),
    name: z.string().check(
      z.refine((name) => !blank(name), t('stepName.missing')),
      z.refine((name) => !over(name, blueprintLimits.stepName), t('stepName.long')),
    ),
    sections: z.array(z.enum(stepSections)),
    analyst: z.nullable(z.number()),
    detailedInstructions: z.string(),
    qaInstructions: z.string(),
    code: z.string(),
    language: z.string(),
    memories: z.array(z.number()).check(z.maxLength(blueprintLimits.memories, t('memories.many'))),
  })
  .check(({ value, issues }) => {
    const shown = textSections.filter((section) => value.sections.includes(section));
    const add = (section: StepSection | 'sections', message: string): void => {
      issues.push({ code: 'custom', path: [section], message, input: value, continue: true });
    };
    if (shown.length === 0) add('sections', t('step.empty'));
    for (const section of shown) {
      const problem = sectionProblem(section, value[section]);
      if (problem !== undefined) add(section, problem);
    }
  });

const inputParameters = z.string().check(
  z.refine((lines) => !over(lines, blueprintLimits.inputParameters), t('inputs.long')),
  z.refine((lines) => parseInputs(lines).length <= blueprintLimits.inputs, t('inputs.many')),
  z.refine(
    (lines) => parseInputs(lines).every(({ name }) => !over(name, blueprintLimits.inputName)),
    t('inputName.long'),
  ),
);

/** The rules of a blueprint's form, with their messages. */
export const blueprintSchema: z.ZodMiniType<BlueprintValues, BlueprintValues> = z.object({
  name: z.string().check(
    z.refine((name) => !blank(name), t('title.missing')),
    z.refine((name) => !over(name, blueprintLimits.name), t('title.long')),
  ),
  description: z
    .string()
    .check(z.refine((text) => !over(text, blueprintLimits.description), t('description.long'))),
  projectLabels: z.array(z.number()).check(z.maxLength(blueprintLimits.projectLabels, t('projects.many'))),
  dataSources: z.array(z.number()).check(z.maxLength(blueprintLimits.dataSources, t('connectors.many'))),
  inputParameters,
  initialMessage: z
    .string()
    .check(z.refine((text) => !over(text, blueprintLimits.initialMessage), t('initialMessage.long'))),
  steps: z
    .array(stepSchema as z.ZodMiniType<StepValues, StepValues>)
    .check(z.maxLength(blueprintLimits.steps, t('steps.many'))),
});
