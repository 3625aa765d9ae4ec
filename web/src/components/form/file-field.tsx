import { Text } from '@radix-ui/themes';
import { FileText, Upload, X } from 'lucide-react';
import { useState } from 'react';
import type { FieldPathByValue, FieldValues } from 'react-hook-form';
import box from '@/components/surface/drop.module.css';
import { cx } from '@/lib/cx';
import { formatBytes } from '@/lib/format';
import { form as t } from '@/messages/form';
import { Field } from './field';
import type { FieldTexts, FormControl } from './form-types';
import styles from './form.module.css';
import { useField } from './use-field';

interface FileFieldProps<T extends FieldValues> extends FieldTexts {
  control: FormControl<T>;
  name: FieldPathByValue<T, File | null>;
  /** Extensions with the dot; any file without them. What is dropped is checked by the form's rules. */
  accept?: readonly string[] | undefined;
  /** A line under the invitation, such as the kinds that are taken. */
  hint?: string | undefined;
}

/** Takes one file, by choice or by a drop. */
export function FileField<T extends FieldValues>(props: FileFieldProps<T>) {
  const { control, name, label, description, required, disabled, accept = [], hint } = props;
  const { value, onChange, onBlur, ref, problem, readOnly } = useField<T, File | null>(control, name);
  const [over, setOver] = useState(false);
  const locked = disabled === true || readOnly;

  function take(files: FileList | null): void {
    const file = files?.[0];
    if (file && !locked) onChange(file);
  }

  return (
    <Field label={label} description={description} required={required} problem={problem}>
      {(ids) => (
        // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- dropping is an extra for the mouse; the input inside serves everybody
        <div
          className={cx(box.drop, styles.drop)}
          data-over={over}
          data-wrong={problem !== undefined}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault();
            setOver(false);
            take(event.dataTransfer.files);
          }}
        >
          <input
            {...ids}
            ref={ref}
            type="file"
            aria-required={required}
            accept={accept.join(',')}
            disabled={locked}
            className={styles.fileInput}
            onBlur={onBlur}
            onChange={(event) => {
              take(event.target.files);
              // The same file can be chosen again after it has been corrected.
              event.target.value = '';
            }}
          />
          {value === null ? (
            <Upload size={20} aria-hidden="true" />
          ) : (
            <FileText size={20} aria-hidden="true" />
          )}
          <Text size="2" weight="medium" className={styles.fileName ?? ''}>
            {value === null ? t('file.choose') : value.name}
          </Text>
          <Text size="1" color="gray">
            {value === null ? (hint ?? '') : t('file.size', { size: formatBytes(value.size) })}
          </Text>
          {value !== null && !locked && (
            <button
              type="button"
              className={styles.fileRemove}
              aria-label={t('remove', { name: value.name })}
              onClick={() => onChange(null)}
            >
              <X size={15} aria-hidden="true" />
            </button>
          )}
        </div>
      )}
    </Field>
  );
}
