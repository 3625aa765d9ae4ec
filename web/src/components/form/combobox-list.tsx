import { Spinner, Text } from '@radix-ui/themes';
import { Command } from 'cmdk';
import { Check, Search } from 'lucide-react';
import { useState, type UIEvent } from 'react';
import { common } from '@/messages/common';
import { form as t } from '@/messages/form';
import type { Choice } from './form-types';
import styles from './form.module.css';
import { groupsOf } from './groups-of';

interface ComboboxListProps<V extends string | number> {
  label: string;
  choices: readonly Choice<V>[];
  value: readonly V[];
  several: boolean;
  loading?: boolean | undefined;
  onSearch?: ((words: string) => void) | undefined;
  onMore?: (() => void) | undefined;
  maxHeight?: number | undefined;
  onPick: (value: V) => void;
}

/** The distance to its end at which a list loads more, in px. */
const nearEnd = 64;

/** The list of a combobox with its search. The focus stays in the search; the arrow keys move through the list. */
export function ComboboxList<V extends string | number>(props: ComboboxListProps<V>) {
  const { label, choices, value, several, loading = false, onSearch, onMore, maxHeight, onPick } = props;
  const [words, setWords] = useState('');
  const needle = words.trim().toLocaleLowerCase();
  const shown = onSearch
    ? choices
    : choices.filter((choice) =>
        `${choice.label}\n${choice.detail ?? ''}`.toLocaleLowerCase().includes(needle),
      );

  function search(next: string): void {
    setWords(next);
    onSearch?.(next);
  }

  function scrolled({ currentTarget: list }: UIEvent<HTMLElement>): void {
    if (list.scrollHeight - list.scrollTop - list.clientHeight < nearEnd) onMore?.();
  }

  return (
    <Command label={t('search', { label })} shouldFilter={false} loop className={styles.command ?? ''}>
      <div className={styles.search}>
        <Search size={15} aria-hidden="true" />
        <Command.Input value={words} placeholder={common('search')} onValueChange={search} />
        {loading && <Spinner size="1" />}
      </div>
      <Command.List
        label={label}
        className={styles.options ?? ''}
        aria-multiselectable={several}
        onScroll={scrolled}
        {...(maxHeight !== undefined && { style: { maxHeight } })}
      >
        {groupsOf(shown).map((group) => (
          <Command.Group key={group.name ?? ''} heading={group.name}>
            {group.choices.map((choice) => (
              <ComboboxOption
                key={choice.value}
                choice={choice}
                chosen={value.includes(choice.value)}
                onPick={() => onPick(choice.value)}
              />
            ))}
          </Command.Group>
        ))}
      </Command.List>
      <Text as="p" size="1" color="gray" role="status" className={styles.listNote ?? ''}>
        {shown.length > 0 ? '' : loading ? common('loading') : t('nothing')}
      </Text>
    </Command>
  );
}

interface ComboboxOptionProps<V extends string | number> {
  choice: Choice<V>;
  chosen: boolean;
  onPick: () => void;
}

/** One entry: its name, a second line, and a mark if it is chosen. */
function ComboboxOption<V extends string | number>({ choice, chosen, onPick }: ComboboxOptionProps<V>) {
  return (
    <Command.Item
      value={String(choice.value)}
      disabled={choice.disabled === true}
      // For the list, the selected option is the one that Enter picks; this tells screen readers which are chosen.
      aria-checked={chosen}
      className={styles.option ?? ''}
      onSelect={onPick}
    >
      <Check size={15} aria-hidden="true" className={styles.check} data-shown={chosen} />
      <span className={styles.optionText}>
        <span className={styles.optionLabel}>{choice.label}</span>
        {choice.detail !== undefined && choice.detail !== '' && (
          <span className={styles.optionDetail}>{choice.detail}</span>
        )}
      </span>
    </Command.Item>
  );
}
