import { Dialog, Spinner, Text, VisuallyHidden } from '@radix-ui/themes';
import { Command } from 'cmdk';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { Keys } from '@/components/keys/keys';
import { searchMax } from '@/lib/search';
import { useDebounced } from '@/lib/use-debounced';
import { useReturnFocus } from '@/lib/use-return-focus';
import { common } from '@/messages/common';
import { palette as t } from '@/messages/palette';
import { matching, type PaletteItem } from './palette-items';
import { usePaletteActions } from './use-palette-actions';
import { usePaletteFound } from './use-palette-found';
import styles from './palette.module.css';

interface PaletteProps {
  /** What was typed before the palette was loaded. */
  words: string;
  onClose: () => void;
  onKeys: () => void;
  onArchive: (id: string) => void;
}

/** Pages, conversations, connectors, blueprints and actions, found by typing. */
export function Palette({ words: early, onClose, onKeys, onArchive }: PaletteProps) {
  const [typed, setTyped] = useState(early);
  const words = useDebounced(typed.trim(), 150);
  const { pages, actions } = usePaletteActions({ onKeys, onArchive });
  const found = usePaletteFound(words);
  const returnFocus = useReturnFocus();
  const groups: readonly (readonly [label: string, items: readonly PaletteItem[]])[] =
    typed.trim() === ''
      ? [
          [t('group.recent'), found.conversations],
          [t('group.actions'), actions],
          [t('group.pages'), pages],
        ]
      : [
          [t('group.pages'), matching(pages, typed)],
          [t('group.actions'), matching(actions, typed)],
          [t('group.conversations'), found.conversations],
          [t('group.connectors'), found.connectors],
          [t('group.blueprints'), found.blueprints],
          [t('group.said'), found.said],
        ];
  // Later results are placed above: the first row stays selected until the arrow keys select another.
  const first = groups.find(([, items]) => items.length > 0)?.[1][0]?.id ?? '';
  const [chosen, setChosen] = useState({ id: first, of: first });
  if (chosen.of !== first) setChosen({ id: first, of: first });
  const searching = found.loading || words !== typed.trim();

  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Content
        maxWidth="640px"
        align="start"
        aria-describedby={undefined}
        className={styles.content ?? ''}
        {...returnFocus}
      >
        <VisuallyHidden>
          <Dialog.Title>{t('title')}</Dialog.Title>
        </VisuallyHidden>
        {/* The items are filtered already, by the server or above. */}
        <Command
          label={t('title')}
          shouldFilter={false}
          loop
          value={chosen.id}
          onValueChange={(id) => setChosen({ id, of: first })}
        >
          <div className={styles.field}>
            {searching ? <Spinner size="2" /> : <Search size={18} aria-hidden="true" />}
            <Command.Input
              className={styles.input}
              value={typed}
              onValueChange={setTyped}
              placeholder={t('placeholder')}
              maxLength={searchMax}
            />
            <Keys keys="Escape" />
          </div>
          <Command.List className={styles.list} label={t('results')}>
            <Command.Empty className={styles.empty}>
              {searching ? common('loading') : t('nothing', { words: typed.trim() })}
            </Command.Empty>
            {groups
              .filter(([, items]) => items.length > 0)
              .map(([label, items]) => (
                <Command.Group key={label} heading={label} className={styles.group ?? ''}>
                  {items.map((item) => (
                    <Command.Item
                      key={item.id}
                      value={item.id}
                      className={styles.item ?? ''}
                      onSelect={() => {
                        onClose();
                        item.run();
                      }}
                    >
                      <item.icon size={16} aria-hidden="true" />
                      <span className={styles.label}>
                        {item.label}
                        {item.detail !== undefined && <span className={styles.detail}>{item.detail}</span>}
                      </span>
                      {item.note !== undefined && <span className={styles.note}>{item.note}</span>}
                      {item.keys !== undefined && <Keys keys={item.keys} />}
                    </Command.Item>
                  ))}
                </Command.Group>
              ))}
          </Command.List>
          {found.failed && (
            <Text as="p" size="1" color="gray" role="status" className={styles.failed ?? ''}>
              {t('failed')}
            </Text>
          )}
        </Command>
      </Dialog.Content>
    </Dialog.Root>
  );
}
