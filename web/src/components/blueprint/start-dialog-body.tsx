import { Flex, Text } from '@radix-ui/themes';
import { Play } from 'lucide-react';
import { useRef, useState } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { ConnectorTag } from '@/components/connector/connector-tag';
import { FormDialog } from '@/components/form/form-dialog';
import { TextField } from '@/components/form/text-field';
import { useSchemaForm } from '@/components/form/use-schema-form';
import { withInputs } from '@/lib/blueprint-message';
import type { SubmitFailure } from '@/lib/submit-failure';
import { useIsShown } from '@/lib/use-is-shown';
import type { Conversation } from '@/lib/wire';
import { blueprintRules } from '@/messages/blueprint-rules';
import { blueprints as t } from '@/messages/blueprints';
import type { BlueprintSummary } from './blueprint';
import styles from './blueprint.module.css';

/** The result of a start: the conversation, or why there is none; problems name inputs as `inputs.Year`. */
type Outcome = { conversation: Conversation } | { failure: SubmitFailure };

/** The props of the dialog. */
export interface StartDialogProps {
  /** The blueprint to start; the dialog is open while there is one. */
  blueprint: BlueprintSummary | null;
  /** Connectors by their ids, to name the connectors of the blueprint. */
  connectors: Readonly<Record<number, { readonly id: number; readonly name: string }>>;
  onStart: (id: number, inputs: Record<string, string>) => Promise<Outcome>;
  /** Called when it has started and the dialog was not closed meanwhile. */
  onStarted: (conversation: string) => void;
  onClose: () => void;
}

/** The values are in the order of the inputs: a name may contain characters that the path of a form field cannot. */
function schemaOf(inputs: BlueprintSummary['inputs']) {
  return z.object({
    inputs: z.array(z.string().check(z.trim())).check(({ value, issues }) => {
      for (const [place, { name }] of inputs.entries()) {
        if (value[place] !== '') continue;
        const message = blueprintRules('input.missing', { name });
        issues.push({ code: 'custom', path: [place], message, input: value, continue: true });
      }
    }),
  });
}

/** Maps the problems that the server reports by the names of inputs to their fields. */
function placed({ message, fields }: SubmitFailure, inputs: BlueprintSummary['inputs']): SubmitFailure {
  return {
    message,
    fields: fields.map((problem) => {
      const place = inputs.findIndex(({ name }) => problem.field === `inputs.${name}`);
      return place === -1 ? problem : { ...problem, field: `inputs.${place}` };
    }),
  };
}

/** Asks for what a blueprint needs, and starts a conversation with it. */
export function StartDialogBody({ blueprint, ...props }: StartDialogProps) {
  return blueprint && <StartForm key={blueprint.id} blueprint={blueprint} {...props} />;
}

function StartForm({
  blueprint,
  connectors,
  onStart,
  onStarted,
  onClose,
}: StartDialogProps & { blueprint: BlueprintSummary }) {
  const { id, name, description, inputs, steps, dataSources, missingDataSources } = blueprint;
  const [schema] = useState(() => schemaOf(inputs));
  const form = useSchemaForm(schema, { inputs: inputs.map(() => '') });
  // The steps are shown with the values that are typed.
  const entered = useWatch({ control: form.control, name: 'inputs' });
  const typed = Object.fromEntries(inputs.map((input, place) => [input.name, entered[place] ?? '']));
  const started = useRef<Conversation | null>(null);
  const isShown = useIsShown();
  const sources = dataSources.flatMap((source) => connectors[source] ?? []);

  async function start(values: { inputs: string[] }): Promise<SubmitFailure | null> {
    const given = inputs.map((input, place) => [input.name, values.inputs[place] ?? ''] as const);
    const outcome = await onStart(id, Object.fromEntries(given));
    if ('failure' in outcome) return placed(outcome.failure, inputs);
    started.current = outcome.conversation;
    return null;
  }

  return (
    <FormDialog
      title={name}
      description={description}
      form={form}
      submitLabel={
        <>
          <Play size={15} aria-hidden="true" /> {t('start')}
        </>
      }
      onSubmit={start}
      onDone={() => {
        // If the dialog was closed meanwhile, the conversation is in the list, and the person is not taken there.
        if (started.current !== null && isShown()) onStarted(started.current.id);
      }}
      onClose={onClose}
    >
      {inputs.map((input, place) => (
        <TextField
          key={input.name}
          control={form.control}
          name={`inputs.${place}`}
          label={input.name}
          {...(input.hint !== '' && { description: input.hint })}
          required
        />
      ))}
      <div>
        <Text as="div" size="1" color="gray" weight="medium" mb="1">
          {t('steps')}
        </Text>
        <ol className={styles.steps} aria-label={t('steps')}>
          {steps.map((step) => (
            <li key={step.id}>{withInputs(step.name, inputs, typed)}</li>
          ))}
        </ol>
      </div>
      <div>
        <Text as="div" size="1" color="gray" weight="medium" mb="1">
          {t('connectors')}
        </Text>
        <Flex gap="2" wrap="wrap">
          {sources.map((source) => (
            <ConnectorTag key={source.id} name={source.name} />
          ))}
          {sources.length === 0 && missingDataSources === 0 && <Text size="2">{t('none')}</Text>}
        </Flex>
        {missingDataSources > 0 && (
          <Text as="p" size="1" color="gray" mt="1">
            {t('start.without', { count: missingDataSources })}
          </Text>
        )}
      </div>
    </FormDialog>
  );
}
