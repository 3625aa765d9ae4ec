import { Skeleton, Text, TextField } from '@radix-ui/themes';
import { useState } from 'react';
import { sentMessage, type BlueprintInput } from '@/lib/blueprint-message';
import { blueprintEditor as t } from '@/messages/blueprint-editor';
import styles from './message-preview.module.css';

interface MessagePreviewProps {
  /** The initial message as it is written, with its placeholders; `null` while it is loading. */
  message: string | null;
  inputs: readonly BlueprintInput[];
  /** What is under the message. */
  note?: string | undefined;
  /** Without fields to try values in. */
  fixed?: boolean | undefined;
}

/** The first message as the person will send it. Values that are typed here appear in it and are not saved. */
export function MessagePreview({ message, inputs, note, fixed = false }: MessagePreviewProps) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const parts = message === null ? [] : sentMessage(message, inputs);
  return (
    <div className={styles.preview}>
      {inputs.length > 0 && !fixed && (
        <div className={styles.values}>
          {inputs.map(({ name, hint }) => (
            <div key={name}>
              {/* The visible label is the name; screen readers also read that the value is for the preview only. */}
              <Text as="p" size="1" color="gray" mb="1" aria-hidden="true">
                {name}
              </Text>
              <TextField.Root
                size="1"
                aria-label={t('preview.value', { name })}
                placeholder={hint}
                value={values[name] ?? ''}
                onChange={(event) => setValues({ ...values, [name]: event.target.value })}
              />
            </div>
          ))}
        </div>
      )}
      {message === null ? (
        <Skeleton className={styles.waiting ?? ''} />
      ) : message.trim() === '' && inputs.length === 0 ? (
        <Text as="p" size="2" color="gray">
          {t('preview.empty')}
        </Text>
      ) : (
        <div className={styles.bubble} role="group" aria-label={t('preview.heading')}>
          {parts.map(({ text, input }, place) => {
            const value = input === undefined ? '' : (values[input] ?? '').trim();
            return input === undefined ? (
              <span key={place}>{text}</span>
            ) : (
              <mark key={place} className={styles.value} data-filled={value !== ''}>
                {value === '' ? input : value}
              </mark>
            );
          })}
        </div>
      )}
      {note !== undefined && message !== null && message.trim() !== '' && (
        <Text as="p" size="1" color="gray">
          {note}
        </Text>
      )}
    </div>
  );
}
