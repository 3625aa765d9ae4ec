import { Badge, Heading, Text } from '@radix-ui/themes';
import { Bot, Brain } from 'lucide-react';
import { CodeBlock } from '@/components/code-block/code-block';
import type { BlueprintInput } from '@/lib/blueprint-message';
import { blueprints as t } from '@/messages/blueprints';
import styles from './blueprint-steps.module.css';
import { InputText } from './input-text';

/** The content of a step that is shown. */
export interface StepContent {
  readonly id: number;
  readonly name: string;
  /** `null` is the agent of the conversation. */
  readonly agent: string | null;
  readonly detailedInstructions: string;
  readonly qaInstructions: string;
  readonly code: string;
  readonly language: string;
  readonly memories: readonly { readonly id: number; readonly name: string }[];
}

interface BlueprintStepsProps {
  label: string;
  steps: readonly StepContent[];
  inputs: readonly BlueprintInput[];
}

/** The steps of a blueprint with all their texts. */
export function BlueprintSteps({ label, steps, inputs }: BlueprintStepsProps) {
  return (
    <ol className={styles.steps} aria-label={label}>
      {steps.map((step, index) => (
        <li key={step.id} className={styles.step}>
          <span className={styles.number} aria-hidden="true">
            {index + 1}
          </span>
          <div className={styles.content}>
            <Heading as="h3" size="3" className={styles.name ?? ''}>
              <InputText text={step.name} inputs={inputs} />
            </Heading>
            {(step.agent !== null || step.memories.length > 0) && (
              <div className={styles.facts}>
                {step.agent !== null && (
                  <Badge color="gray">
                    <Bot size={13} aria-hidden="true" /> {t('step.agent', { name: step.agent })}
                  </Badge>
                )}
                {step.memories.map(({ id, name }) => (
                  <Badge key={id} color="gray">
                    <Brain size={13} aria-hidden="true" /> {t('step.memory', { name })}
                  </Badge>
                ))}
              </div>
            )}
            {step.detailedInstructions !== '' && (
              <Text as="p" size="2" className={styles.text ?? ''}>
                <InputText text={step.detailedInstructions} inputs={inputs} />
              </Text>
            )}
            {step.qaInstructions !== '' && (
              <div>
                <Text as="p" size="1" color="gray" weight="medium">
                  {t('step.qa')}
                </Text>
                <Text as="p" size="2" className={styles.text ?? ''}>
                  <InputText text={step.qaInstructions} inputs={inputs} />
                </Text>
              </div>
            )}
            {step.code !== '' && <CodeBlock code={step.code} language={step.language} collapsible />}
          </div>
        </li>
      ))}
    </ol>
  );
}
