import { Avatar, Badge, Spinner, Text, TextField } from '@radix-ui/themes';
import { Search } from 'lucide-react';
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { granteeKey } from '@/lib/access';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { initials } from '@/lib/format';
import { searchMax } from '@/lib/search';
import type { Grantee } from '@/lib/wire';
import { access as t } from '@/messages/access';
import styles from './access.module.css';

/** The people and teams that the server has found. */
export interface Candidates {
  readonly status: 'fetching' | 'fetched' | 'failed';
  readonly found: readonly DeepReadonly<Grantee>[];
  /** There are more results than were sent: a more specific search finds them. */
  readonly more: boolean;
}

interface GranteeSearchProps extends Candidates {
  words: string;
  onWords: (words: string) => void;
  /** Whether the list is shown. */
  open: boolean;
  onOpen: (open: boolean) => void;
  onPick: (actor: DeepReadonly<Grantee>) => void;
}

/**
 * Finds people and teams by name and adds the one that is picked. The arrow keys move through the list; the focus
 * stays in the field.
 */
export function GranteeSearch(props: GranteeSearchProps) {
  const { status, found, words, onWords, open, onOpen, onPick } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  // After typing, the first result is selected; before that, none is.
  const kept = found.findIndex((actor) => granteeKey(actor) === chosen);
  const active = kept === -1 && words.trim() !== '' ? 0 : kept;
  const current = open ? found[active] : undefined;

  function pick(actor: DeepReadonly<Grantee>): void {
    onPick(actor);
    onWords('');
    setChosen(null);
    onOpen(false);
  }

  function move(to: number): void {
    const next = found[(to + found.length) % found.length];
    if (!next) return;
    onOpen(true);
    setChosen(granteeKey(next));
    // It must be visible at once, while the key is held down; the list is on the screen when it is open.
    list.current?.children[found.indexOf(next)]?.scrollIntoView({ block: 'nearest' });
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    switch (event.key) {
      case 'ArrowDown':
        event.preventDefault();
        move(active + 1);
        break;
      case 'ArrowUp':
        event.preventDefault();
        move(active === -1 ? found.length - 1 : active - 1);
        break;
      case 'Enter':
        event.preventDefault();
        // While the request runs, the list still shows the results of the previous search.
        if (current && status === 'fetched') pick(current);
        break;
    }
  }

  return (
    <div>
      <TextField.Root
        role="combobox"
        placeholder={t('add.hint')}
        aria-label={t('add')}
        aria-autocomplete="list"
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-activedescendant={current && `${id}-${granteeKey(current)}`}
        autoComplete="off"
        maxLength={searchMax}
        value={words}
        onChange={(event) => {
          onWords(event.target.value);
          setChosen(null);
          onOpen(true);
        }}
        onFocus={() => onOpen(true)}
        onClick={() => onOpen(true)}
        onBlur={() => onOpen(false)}
        onKeyDown={onKeyDown}
      >
        <TextField.Slot>
          <Search size={16} />
        </TextField.Slot>
        {open && status === 'fetching' && (
          <TextField.Slot side="right">
            <Spinner size="1" />
          </TextField.Slot>
        )}
      </TextField.Root>
      {open && (
        // A press on the list or next to it must not take the focus from the field: that would close the list
        // first.
        <div className={styles.found} role="presentation" onMouseDown={(event) => event.preventDefault()}>
          <div ref={list} id={`${id}-list`} role="listbox" aria-label={t('found.label')}>
            {found.map((actor, index) => (
              // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are the field's, which keeps the focus
              <div
                key={granteeKey(actor)}
                id={`${id}-${granteeKey(actor)}`}
                role="option"
                tabIndex={-1}
                className={styles.option}
                aria-selected={index === active}
                onClick={() => pick(actor)}
              >
                <span aria-hidden="true">
                  <Avatar
                    size="1"
                    radius={actor.type === 'team' ? 'medium' : 'full'}
                    fallback={initials(actor.name)}
                    alt=""
                    {...(actor.picture !== '' && { src: actor.picture })}
                  />
                </span>
                <Text size="2" truncate className={styles.name ?? ''}>
                  {actor.name}
                </Text>
                {actor.type === 'team' && <Badge color="gray">{t('team')}</Badge>}
              </div>
            ))}
          </div>
          <Text as="p" size="1" color="gray" role="status" className={styles.foundNote ?? ''}>
            {noteOf(props)}
          </Text>
        </div>
      )}
    </div>
  );
}

/** The messages about the list, in addition to its entries. */
function noteOf({ status, found, more, words }: GranteeSearchProps): string {
  if (status === 'failed') return t('found.failed');
  if (status === 'fetching') return found.length === 0 ? t('found.searching') : '';
  if (more) return t('found.more');
  if (found.length > 0) return '';
  return words.trim() === '' ? t('found.none') : t('found.nobody');
}
