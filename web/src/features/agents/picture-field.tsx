import { Button, Flex } from '@radix-ui/themes';
import { useRef, useState } from 'react';
import { AgentPicture } from '@/components/agent/agent-picture';
import { Field } from '@/components/form/field';
import { useField } from '@/components/form/use-field';
import type { FormControl } from '@/components/form/form-types';
import { pictureTypes, readPicture } from '@/lib/picture';
import { agents as t } from '@/messages/agents';
import type { AgentValues } from './agent-schema';
import styles from './agents.module.css';

/** The picture of an agent, which is stored in the agent itself. */
export function PictureField({ control }: { control: FormControl<AgentValues> }) {
  const { value, onChange, readOnly, problem } = useField<AgentValues, string>(control, 'picture');
  const [refused, setRefused] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  async function take(file: File | undefined): Promise<void> {
    if (!file) return;
    const picture = await readPicture(file);
    setRefused(picture === null);
    if (picture !== null) onChange(picture);
  }

  return (
    <Field
      label={t('form.picture')}
      description={t('form.picture.hint')}
      problem={refused ? t('form.picture.refused') : problem}
    >
      {(ids) => (
        <Flex align="center" gap="3">
          <AgentPicture picture={value} size="large" />
          <input
            {...ids}
            ref={input}
            type="file"
            accept={pictureTypes.join()}
            disabled={readOnly}
            className={styles.file}
            onChange={(event) => {
              void take(event.target.files?.[0]);
              // The same file can be chosen again after it has been corrected.
              event.target.value = '';
            }}
          />
          {!readOnly && (
            // The input next to it is for the keyboard and screen readers; this button shows where to press.
            <Button
              type="button"
              variant="soft"
              color="gray"
              tabIndex={-1}
              aria-hidden="true"
              onClick={() => input.current?.click()}
            >
              {t('form.picture.choose')}
            </Button>
          )}
          {value !== '' && !readOnly && (
            <Button type="button" variant="ghost" color="gray" onClick={() => onChange('')}>
              {t('form.picture.remove')}
            </Button>
          )}
        </Flex>
      )}
    </Field>
  );
}
