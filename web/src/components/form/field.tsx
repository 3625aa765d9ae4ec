import { Flex, Text, VisuallyHidden } from '@radix-ui/themes';
import { use, useId, type ReactNode } from 'react';
import { cx } from '@/lib/cx';
import { formatCount } from '@/lib/format';
import { characterCount } from '@/lib/text';
import { form as t } from '@/messages/form';
import { FormSettingsContext } from './form-settings';
import styles from './form.module.css';

interface FieldIds {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean;
}

interface FieldProps {
  label: string;
  problem: string | undefined;
  /** A hint for filling it in. */
  description?: string | undefined;
  /** If a text has a limit: the text so far, and how many characters it may have. */
  length?: { readonly text: string; readonly limit: number } | undefined;
  required?: boolean | undefined;
  children: (ids: FieldIds) => ReactNode;
}

/** A labelled field with the message of the rule that its value breaks. */
export function Field({ label, problem, description, length: counted, required, children }: FieldProps) {
  const id = useId();
  // What has to be filled in, and how much fits, does not concern people who can only read it.
  const { readOnly } = use(FormSettingsContext);
  const length = readOnly ? undefined : counted;
  const described = [
    description !== undefined && `${id}-description`,
    length !== undefined && `${id}-length`,
    problem !== undefined && `${id}-problem`,
  ].filter((part) => part !== false);

  return (
    <div className={styles.field}>
      <Flex justify="between" align="baseline" gap="3" mb="1">
        <Text as="label" htmlFor={id} size="2" weight="medium">
          {label}
          {required === true && !readOnly && (
            <span className={styles.required} aria-hidden="true">
              *
            </span>
          )}
        </Text>
        {length !== undefined && <FieldLength id={`${id}-length`} {...length} />}
      </Flex>
      {description !== undefined && (
        <Text as="p" id={`${id}-description`} size="1" color="gray" mb="1">
          {description}
        </Text>
      )}
      {children({
        id,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
        'aria-invalid': problem !== undefined,
      })}
      {problem !== undefined && (
        <Text as="p" id={`${id}-problem`} size="1" color="red" mt="1" role="alert">
          {problem}
        </Text>
      )}
    </div>
  );
}

/** The length of a text and its limit. */
function FieldLength({ id, text, limit }: { id: string; text: string; limit: number }) {
  const length = characterCount(text);
  const [count, most] = [formatCount(length), formatCount(limit)];
  return (
    <Text as="span" size="1" color="gray" className={cx(styles.length, length > limit && styles.over)}>
      <span aria-hidden="true">{`${count} / ${most}`}</span>
      <VisuallyHidden id={id}>{t('length', { count, limit: most })}</VisuallyHidden>
    </Text>
  );
}
