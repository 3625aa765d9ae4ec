import { Text, TextField } from '@radix-ui/themes';
import { Search } from 'lucide-react';
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { searchMax } from '@/lib/search';
import { entityList as t } from '@/messages/entity-list';
import type { EntityId } from './entity';
import styles from './entity-search.module.css';

/** A suggestion of the field while a person types. */
export interface SearchSuggestion {
  readonly id: EntityId;
  readonly name: string;
  /** Distinguishes entities of the same name, for example by the day of the last change. */
  readonly note: string;
}

interface EntitySearchProps {
  label: string;
  words: string;
  onWords: (words: string) => void;
  suggestions: readonly SearchSuggestion[];
  /** The results for these words have arrived: if there are no suggestions then, there are no results. */
  settled: boolean;
  onPick: (id: EntityId) => void;
}

/**
 * The search of a list. It suggests what it finds by name; the arrow keys move through the suggestions while the
 * focus stays in the field.
 */
export function EntitySearch({ label, words, onWords, suggestions, settled, onPick }: EntitySearchProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const shown = open && words.trim() !== '';
  const current = shown ? suggestions[active] : undefined;

  function pick(suggestion: SearchSuggestion): void {
    setOpen(false);
    setActive(-1);
    onPick(suggestion.id);
  }

  function move(by: number): void {
    setOpen(true);
    if (suggestions.length === 0) return;
    const next = active === -1 && by < 0 ? suggestions.length - 1 : active + by;
    const place = (next + suggestions.length) % suggestions.length;
    setActive(place);
    list.current?.children[place]?.scrollIntoView({ block: 'nearest' });
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (current) pick(current);
      else setOpen(false);
    } else if (event.key === 'Escape' && (shown || words !== '')) {
      // Escape first closes the list, then clears the words; the parent, such as a dialog, gets it only after both.
      event.preventDefault();
      event.stopPropagation();
      if (shown) setOpen(false);
      else onWords('');
      setActive(-1);
    }
  }

  return (
    <div className={styles.root}>
      <TextField.Root
        type="search"
        role="combobox"
        data-search=""
        placeholder={label}
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={shown && suggestions.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={current && `${id}-${current.id}`}
        autoComplete="off"
        maxLength={searchMax}
        value={words}
        onChange={(event) => {
          onWords(event.target.value);
          setActive(-1);
          setOpen(true);
        }}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      >
        <TextField.Slot>
          <Search size={16} aria-hidden="true" />
        </TextField.Slot>
      </TextField.Root>
      {shown && (suggestions.length > 0 || settled) && (
        // A press on the list must not take the focus out of the field, because that would close the list first.
        <div className={styles.found} role="presentation" onMouseDown={(event) => event.preventDefault()}>
          <div ref={list} id={`${id}-list`} role="listbox" aria-label={label}>
            {suggestions.map((suggestion, place) => (
              // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are the field's, which keeps the focus
              <div
                key={suggestion.id}
                id={`${id}-${suggestion.id}`}
                role="option"
                tabIndex={-1}
                className={styles.option}
                aria-selected={place === active}
                onClick={() => pick(suggestion)}
              >
                <Text size="2" truncate>
                  {suggestion.name}
                </Text>
                <Text size="1" color="gray" className={styles.note ?? ''}>
                  {suggestion.note}
                </Text>
              </div>
            ))}
          </div>
          {suggestions.length === 0 && (
            <Text as="p" size="2" color="gray" role="status" className={styles.none ?? ''}>
              {t('search.none')}
            </Text>
          )}
        </div>
      )}
    </div>
  );
}
