import { Button, Dialog, Flex, Text, TextField } from '@radix-ui/themes';
import { Play } from 'lucide-react';
import { useId, useState } from 'react';
import { ConnectorTag } from '@/components/connector/connector-tag';
import { missingInputs, withInputNames } from '@/lib/blueprint';
import { byIds } from '@/lib/connector-picker';
import { useIsShown } from '@/lib/use-is-shown';
import { useReturnFocus } from '@/lib/use-return-focus';
import { blueprints as t } from '@/messages/blueprints';
import { common } from '@/messages/common';
import type { BlueprintSummary } from './blueprint-card';
import styles from './blueprint.module.css';

/** What came of a start: what was made, or messages by the names of inputs. */
type Outcome<T> = { conversation: T } | { fields: Readonly<Record<string, string>> };

interface StartDialogProps<T> {
  blueprint: BlueprintSummary;
  /** Connectors by which those of the blueprint are named. */
  connectors: readonly { readonly id: number; readonly name: string }[];
  onStart: (id: number, inputs: Record<string, string>) => Promise<Outcome<T>>;
  onStarted: (conversation: T) => void;
  onClose: () => void;
}

/** Asks for what a blueprint needs, and starts a conversation with it. */
export function StartDialog<T>({ blueprint, connectors, onStart, onStarted, onClose }: StartDialogProps<T>) {
  const { id, name, description, inputs, steps, dataSources, missingDataSources } = blueprint;
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const returnFocus = useReturnFocus();
  const isShown = useIsShown();
  const sources = byIds(connectors, dataSources);

  async function start(): Promise<void> {
    const missing = missingInputs(inputs, values);
    setProblems(missing);
    if (Object.keys(missing).length > 0) return;
    setBusy(true);
    const outcome = await onStart(id, { ...values });
    // Closed meanwhile: the conversation stands in the list, and nobody is taken there.
    if (!isShown()) return;
    if ('conversation' in outcome) {
      onStarted(outcome.conversation);
      return;
    }
    setProblems(outcome.fields);
    setBusy(false);
  }

  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Content maxWidth="520px" {...returnFocus}>
        <Dialog.Title>{name}</Dialog.Title>
        <Dialog.Description size="2" color="gray" mb="4">
          {description}
        </Dialog.Description>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void start();
          }}
        >
          <Flex direction="column" gap="4">
            {inputs.map((input) => (
              <InputField
                key={input.name}
                name={input.name}
                hint={input.hint}
                value={values[input.name] ?? ''}
                problem={problems[input.name]}
                disabled={busy}
                onChange={(value) => setValues({ ...values, [input.name]: value })}
              />
            ))}
            <div>
              <Text as="div" size="1" color="gray" weight="medium" mb="1">
                {t('steps')}
              </Text>
              <ol className={styles.steps} aria-label={t('steps')}>
                {steps.map((step) => (
                  <li key={step.id}>{withInputNames(step.name)}</li>
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
            <Flex gap="3" justify="end">
              <Dialog.Close>
                <Button type="button" variant="soft" color="gray">
                  {common('cancel')}
                </Button>
              </Dialog.Close>
              <Button type="submit" loading={busy}>
                <Play size={15} /> {t('start')}
              </Button>
            </Flex>
          </Flex>
        </form>
      </Dialog.Content>
    </Dialog.Root>
  );
}

interface InputFieldProps {
  name: string;
  hint: string;
  value: string;
  problem: string | undefined;
  disabled: boolean;
  onChange: (value: string) => void;
}

/** One input of the blueprint. */
function InputField({ name, hint, value, problem, disabled, onChange }: InputFieldProps) {
  const id = useId();
  return (
    <div>
      <Text as="label" size="2" weight="medium" htmlFor={id}>
        {name}
      </Text>
      <TextField.Root
        id={id}
        mt="1"
        value={value}
        disabled={disabled}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-note`}
        {...(problem !== undefined && { color: 'red' as const })}
        onChange={(event) => onChange(event.target.value)}
      />
      {problem !== undefined ? (
        <Text as="p" id={`${id}-note`} size="1" color="red" mt="1" role="alert">
          {problem}
        </Text>
      ) : (
        <Text as="p" id={`${id}-note`} size="1" color="gray" mt="1">
          {hint}
        </Text>
      )}
    </div>
  );
}
