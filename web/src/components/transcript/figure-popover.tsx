import { Button, Skeleton, Text } from '@radix-ui/themes';
import { useEffect, useRef, useState } from 'react';
import { Popup } from '@/components/popup/popup';
import { transcript as t } from '@/messages/transcript';
import styles from './figure-popover.module.css';

/** The origin of a number: a row of a table, or the cells that it was calculated from. */
export interface FigureOrigin {
  /** Says what the cells are and how they are combined. */
  caption: string;
  cells: readonly {
    readonly name: string;
    readonly value: string;
    /** Whether this is the number itself. */
    readonly pointed: boolean;
  }[];
}

interface FigurePopoverProps {
  /** The number as it is written in the text. */
  text: string;
  /**
   * `null` while it is loading, `failed` if it could not be loaded, `cut` if too little of the table is available.
   */
  found: FigureOrigin | 'failed' | 'cut' | null;
  /** Called when the origin is needed. */
  onWant: () => void;
  /** Opens the workings at the query. */
  onShowQuery: () => void;
}

/** Long enough that a pointer that passes over it opens nothing, in ms. */
const hoverDelay = 250;

/** A number that shows its origin when it is hovered, pressed or activated with the keyboard. */
export function FigurePopover({ text, found, onWant, onShowQuery }: FigurePopoverProps) {
  const [open, setOpen] = useState(false);
  const figure = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function show(to: boolean): void {
    clearTimeout(timer.current);
    if (to) onWant();
    setOpen(to);
  }

  function pointed(to: boolean): void {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => show(to), hoverDelay);
  }

  return (
    <>
      {/* Not a button element: that would be an inline block, and a full stop after it could wrap to a separate
          line. */}
      <span
        ref={figure}
        role="button"
        tabIndex={0}
        className={styles.figure}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => show(!open)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return;
          event.preventDefault();
          event.currentTarget.click();
        }}
        data-figure
        aria-label={t('figure.name', { number: text })}
        onPointerEnter={(event) => event.pointerType === 'mouse' && pointed(true)}
        onPointerLeave={(event) => event.pointerType === 'mouse' && pointed(false)}
      >
        {text}
      </span>
      <Popup
        anchor={figure}
        open={open}
        onOpenChange={show}
        size="1"
        maxWidth="360px"
        label={t('figure.name', { number: text })}
        // A person who only hovers continues to read, so the focus stays where it is.
        onOpenAutoFocus={(event) => event.preventDefault()}
        onPointerEnter={() => clearTimeout(timer.current)}
        onPointerLeave={(event) => event.pointerType === 'mouse' && pointed(false)}
      >
        {found === null && <Skeleton height="60px" width="220px" />}
        {typeof found === 'string' && (
          <Text as="p" size="2" color="gray">
            {t(found === 'cut' ? 'figure.cut' : 'figure.failed')}
          </Text>
        )}
        {found !== null && typeof found !== 'string' && <Origin found={found} />}
        <Button
          type="button"
          size="1"
          variant="ghost"
          mt="2"
          onClick={() => {
            show(false);
            onShowQuery();
          }}
        >
          {t('figure.showQuery')}
        </Button>
      </Popup>
    </>
  );
}

function Origin({ found }: { found: FigureOrigin }) {
  return (
    <>
      <Text as="p" size="1" color="gray" mb="1">
        {found.caption}
      </Text>
      <dl className={styles.row}>
        {found.cells.map(({ name, value, pointed }, place) => (
          <div key={place} className={styles.cell} data-pointed={pointed || undefined}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
