import { useState } from 'react';
import { MarkedText } from '@/components/code-block/marked-text';
import { formatCount } from '@/lib/format';
import { transcript as t } from '@/messages/transcript';
import styles from './turn.module.css';

const foldedLines = 12;
const foldedLength = 1500;

interface FoldedTextProps {
  text: string;
  monospace: boolean;
}

/** Text as it was written, folded when it is long. */
export function FoldedText({ text, monospace }: FoldedTextProps) {
  const [open, setOpen] = useState(false);
  const head = text.slice(0, foldedLength).split('\n').slice(0, foldedLines).join('\n');
  const folds = head.length < text.length;
  return (
    <>
      <p className={styles.text} data-monospace={monospace || undefined}>
        <MarkedText text={open || !folds ? text : `${head}…`} />
      </p>
      {folds && (
        <button
          type="button"
          className={styles.more}
          aria-expanded={open}
          onClick={() => {
            setOpen(!open);
          }}
        >
          {open ? t('fold.less') : t('fold.all', { characters: formatCount(text.length) })}
        </button>
      )}
    </>
  );
}
