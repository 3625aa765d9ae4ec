import { Select, Spinner } from '@radix-ui/themes';
import type { UIEvent } from 'react';
import type { FieldPathByValue, FieldValues } from 'react-hook-form';
import { common } from '@/messages/common';
import { form as t } from '@/messages/form';
import { Field } from './field';
import type { Choice, FieldTexts, FormControl } from './form-types';
import styles from './form.module.css';
import { groupsOf } from './groups-of';
import { useField } from './use-field';

interface SelectFieldProps<T extends FieldValues, V extends string | number> extends FieldTexts {
  control: FormControl<T>;
  /** A field that holds the value of one entry, or `null` for none. */
  name: FieldPathByValue<T, V | null>;
  choices: readonly Choice<V>[];
  placeholder?: string | undefined;
  /** The entry for none of them; without it, a choice can only be changed, not cleared. */
  noneLabel?: string | undefined;
  /** The list's largest height in px. */
  maxHeight?: number | undefined;
  /** Called to load more entries when the end of the list is near. */
  onMore?: (() => void) | undefined;
  /** More entries are being loaded. */
  loadingMore?: boolean | undefined;
  /** Called after the person has chosen another entry, to reset what depends on it. */
  onChosen?: ((value: V | null) => void) | undefined;
}

/** Radix does not allow an empty value for an entry. */
const none = ' none';
/** The distance to its end at which a list loads more, in px. */
const nearEnd = 48;

/** Chooses one entry of a short list. For long lists, or lists to search in, use the combobox. */
export function SelectField<T extends FieldValues, V extends string | number>(props: SelectFieldProps<T, V>) {
  const { control, name, label, description, required, choices, placeholder, noneLabel, maxHeight } = props;
  const { onMore, loadingMore, onChosen } = props;
  const field = useField<T, V | null>(control, name);
  const { value, problem } = field;
  const held = value === null ? '' : String(value);

  function choose(text: string): void {
    const next = choices.find((choice) => String(choice.value) === text)?.value ?? null;
    field.onChange(next);
    onChosen?.(next);
  }

  function scrolled({ target }: UIEvent): void {
    if (!(target instanceof HTMLElement)) return;
    if (target.scrollHeight - target.scrollTop - target.clientHeight < nearEnd) onMore?.();
  }

  return (
    <Field label={label} description={description} required={required} problem={problem}>
      {(ids) => (
        <Select.Root
          value={held === '' && noneLabel !== undefined ? none : held}
          disabled={props.disabled === true || field.readOnly}
          onValueChange={choose}
        >
          <Select.Trigger
            {...ids}
            ref={field.ref}
            aria-required={required}
            className={styles.control ?? ''}
            placeholder={placeholder ?? t('choose')}
            onBlur={field.onBlur}
            {...(problem !== undefined && { color: 'red' as const })}
          />
          <Select.Content
            position="popper"
            className={styles.list ?? ''}
            {...(maxHeight !== undefined && { style: { maxHeight } })}
            onScrollCapture={scrolled}
          >
            {noneLabel !== undefined && <Select.Item value={none}>{noneLabel}</Select.Item>}
            {groupsOf(choices).map((group) => (
              <Select.Group key={group.name ?? ''}>
                {group.name !== undefined && <Select.Label>{group.name}</Select.Label>}
                {group.choices.map((choice) => (
                  <Select.Item
                    key={choice.value}
                    value={String(choice.value)}
                    disabled={choice.disabled === true}
                    textValue={choice.label}
                  >
                    {choice.label}
                  </Select.Item>
                ))}
              </Select.Group>
            ))}
            {loadingMore === true && (
              <div className={styles.listNote} role="status" aria-label={common('loading')}>
                <Spinner size="1" />
              </div>
            )}
          </Select.Content>
        </Select.Root>
      )}
    </Field>
  );
}
