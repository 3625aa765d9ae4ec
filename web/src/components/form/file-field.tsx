import { Spinner, Text } from '@radix-ui/themes';
import { FileText, Upload, X } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { FieldPathByValue, FieldValues } from 'react-hook-form';
import { formatBytes } from '@/lib/format';
import { form as t } from '@/messages/form';
import { Field } from './field';
import type { FieldTexts, FormControl } from './form-types';
import styles from './file-field.module.css';
import { useField } from './use-field';

interface FileFieldProps<T extends FieldValues> extends FieldTexts {
  control: FormControl<T>;
  name: FieldPathByValue<T, File | null>;
  /** Extensions with the dot; any file without them. What is dropped is checked by the form's rules. */
  accept?: readonly string[] | undefined;
  /** A line under the invitation, such as the kinds that are taken. */
  hint?: string | undefined;
  /** The file is being looked at. */
  busy?: boolean | undefined;
  /** Checks a file before it is taken, and takes it. It can then be replaced, and not removed. */
  onFile?: ((file: File) => void) | undefined;
}

/**
 * Takes one file, by choice or by a drop anywhere on the page: on a drop outside of the box the browser would open
 * the file and leave the page.
 */
export function FileField<T extends FieldValues>(props: FileFieldProps<T>) {
  const { control, name, label, description, required, disabled, accept = [], hint = '' } = props;
  const { value, onChange, onBlur, ref, problem, readOnly } = useField<T, File | null>(control, name);
  const { busy = false, onFile = onChange } = props;
  const [over, setOver] = useState(false);
  const [dropped, setDropped] = useState(0);
  const locked = disabled === true || readOnly;

  function take(files: FileList | null | undefined): void {
    const file = files?.[0];
    if (!file || locked) return;
    setDropped(files.length);
    onFile(file);
  }

  const drop = useEffectEvent((event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer?.files);
  });

  useEffect(() => {
    const allow = (event: DragEvent): void => event.preventDefault();
    window.addEventListener('dragover', allow);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', allow);
      window.removeEventListener('drop', drop);
    };
  }, []);

  return (
    <Field label={label} description={description} required={required} problem={problem}>
      {(ids) => (
        <>
          {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions -- dropping is an extra for the mouse; the input inside serves everybody */}
          <div
            className={styles.drop}
            data-over={over}
            data-wrong={problem !== undefined}
            onDragOver={() => setOver(true)}
            onDragLeave={() => setOver(false)}
          >
            <input
              {...ids}
              ref={ref}
              type="file"
              aria-required={required}
              accept={accept.join(',')}
              disabled={locked}
              className={styles.input}
              onBlur={onBlur}
              onChange={(event) => {
                take(event.target.files);
                // The same file can be chosen again after it has been corrected.
                event.target.value = '';
              }}
            />
            <FileIcon busy={busy} chosen={value !== null} />
            <Text size="2" weight="medium" className={styles.name ?? ''}>
              {value === null ? t('file.choose') : value.name}
            </Text>
            <Text size="1" color="gray">
              {busy
                ? t('file.reading')
                : value === null
                  ? hint
                  : t('file.size', { size: formatBytes(value.size) })}
            </Text>
            {value !== null && !locked && props.onFile === undefined && (
              <button
                type="button"
                className={styles.remove}
                aria-label={t('remove', { name: value.name })}
                onClick={() => onChange(null)}
              >
                <X size={15} aria-hidden="true" />
              </button>
            )}
          </div>
          {dropped > 1 && (
            <Text as="p" size="1" color="gray" mt="1" role="status">
              {t('file.first', { count: dropped })}
            </Text>
          )}
        </>
      )}
    </Field>
  );
}

function FileIcon({ busy, chosen }: { busy: boolean; chosen: boolean }) {
  if (busy) return <Spinner size="3" />;
  const Icon = chosen ? FileText : Upload;
  return <Icon size={20} aria-hidden="true" />;
}
