import { Button, Skeleton, Text } from '@radix-ui/themes';
import { useEffect, useRef, useState } from 'react';

import { Popup } from '@/components/popup/popup';
import { transcript as t } from '@/messages/transcript';

import styles from './figure-popover.module.css';

/** What a number was read or made of: a row of a table, or the cells that it follows from. */
export interface FigureOrigin {
  /** Says what the cells are and what becomes of them. */
  caption: string;
  cells: readonly {
    readonly name: string;
    readonly value: string;
    /** Whether this is the number itself. */
    readonly pointed: boolean;
  }[];
}

interface FigurePopoverProps {
  /** The number as it stands in the text. */
  text: string;
  /** `null` while it is on its way, `failed` where it did not come, `cut` where too little of the table is there. */
  found: FigureOrigin | 'failed' | 'cut' | null;
  /** What it was read of is wanted. */
  onWant: () => void;
  /** Opens the workings at the query. */
  onShowQuery: () => void;
}

/** Long enough that a pointer on its way elsewhere opens nothing, in ms. */
const hoverDelay = 250;

/** A number that shows, when it is pointed at, pressed or reached by key, what it was read or made of. */
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
      {/* No button element: that would be a box, and the stop behind it could stand on a line of its own. */}
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
        // Who only points goes on reading: the focus stays where it is.
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
