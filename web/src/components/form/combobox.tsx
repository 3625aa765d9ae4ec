import { Popover } from '@radix-ui/themes';
import { ChevronDown } from 'lucide-react';
import { useId, useState, type RefCallback } from 'react';
import { form as t } from '@/messages/form';
import { ChosenTags } from './chosen-tags';
import { ComboboxList } from './combobox-list';
import type { Choice } from './form-types';
import styles from './form.module.css';

/** The source of the entries. */
export interface ComboboxSource<V extends string | number> {
  choices: readonly Choice<V>[];
  /** Entries that may be chosen and are not among those loaded so far; their names are shown. */
  known?: readonly Choice<V>[] | undefined;
  /** Called with the typed words if the server searches; without it the loaded entries are searched. */
  onSearch?: ((words: string) => void) | undefined;
  loading?: boolean | undefined;
  /** Called to load more entries when the end of the list is near. */
  onMore?: (() => void) | undefined;
  /** The list's largest height in px, if it is not the usual one. */
  maxHeight?: number | undefined;
  /** Called when the list is opened, to load it. */
  onOpen?: (() => void) | undefined;
}

interface ComboboxProps<V extends string | number> extends ComboboxSource<V> {
  ref?: RefCallback<HTMLButtonElement>;
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean;
  label: string;
  placeholder?: string | undefined;
  required?: boolean | undefined;
  disabled: boolean;
  several: boolean;
  clearable: boolean;
  value: readonly V[];
  onChange: (value: readonly V[]) => void;
  onBlur?: () => void;
}

/** A button that opens a list to search and choose in, with mouse or keyboard. */
export function Combobox<V extends string | number>(props: ComboboxProps<V>) {
  const { ref, ...rest } = props;
  const { id, label, placeholder, disabled, several, clearable, value, choices, known = [] } = rest;
  const { onChange, onSearch, onOpen } = rest;
  const [open, setOpen] = useState(false);
  const listId = useId();
  const byValue = new Map([...known, ...choices].map((choice) => [choice.value, choice]));
  const chosen = value.map((one) => byValue.get(one) ?? { value: one, label: String(one) });
  const shown = several
    ? value.length === 0
      ? ''
      : t('chosen', { count: value.length })
    : (chosen[0]?.label ?? '');

  const invitation = disabled ? '–' : (placeholder ?? t('choose'));

  function show(next: boolean): void {
    setOpen(next);
    // The previous search would hide what the person is looking for now.
    if (!next) onSearch?.('');
    else onOpen?.();
  }

  function pick(one: V): void {
    if (several) onChange(value.includes(one) ? value.filter((other) => other !== one) : [...value, one]);
    else {
      onChange([one]);
      show(false);
    }
  }

  return (
    <div>
      {/* Modal, so that its list scrolls within a dialog too. */}
      <Popover.Root open={open} onOpenChange={show} modal>
        <Popover.Trigger>
          <button
            ref={ref}
            id={id}
            type="button"
            role="combobox"
            aria-expanded={open}
            aria-controls={listId}
            aria-haspopup="dialog"
            aria-describedby={rest['aria-describedby']}
            aria-invalid={rest['aria-invalid']}
            aria-required={rest.required}
            disabled={disabled}
            className={styles.combobox}
            data-empty={shown === ''}
            onBlur={rest.onBlur}
          >
            <span className={styles.comboboxText}>{shown === '' ? invitation : shown}</span>
            <ChevronDown size={16} aria-hidden="true" />
          </button>
        </Popover.Trigger>
        <Popover.Content
          id={listId}
          aria-label={label}
          className={styles.popover ?? ''}
          align="start"
          size="1"
          // The list is as wide as its button, and never wider than the window.
          width="max(var(--radix-popover-trigger-width), 280px)"
          maxWidth="calc(100vw - 24px)"
        >
          <ComboboxList {...rest} onPick={pick} />
        </Popover.Content>
      </Popover.Root>
      {several && chosen.length > 0 && (
        <ChosenTags
          label={label}
          chosen={chosen}
          removable={clearable && !disabled}
          onRemove={(one) => onChange(value.filter((other) => other !== one))}
        />
      )}
      {!several && clearable && !disabled && chosen.length > 0 && (
        <button type="button" className={styles.clear} onClick={() => onChange([])}>
          {t('clear', { label })}
        </button>
      )}
    </div>
  );
}
