import { useMemo } from 'react';
import styles from './marked-text.module.css';
import { hasControls, splitControls } from './visible-controls';

interface MarkedTextProps {
  text: string;
}

/**
 * Text in which invisible control characters (bidi overrides, escapes) are shown by their number and have no
 * effect.
 */
export function MarkedText({ text }: MarkedTextProps) {
  const segments = useMemo(() => (hasControls(text) ? splitControls(text) : null), [text]);
  if (segments === null) return text;
  return segments.map((segment, index) =>
    segment.kind === 'text' ? (
      segment.text
    ) : (
      // Segments are derived from the text and never reordered, so their place is their identity.
      <span key={index} className={styles.mark} title={segment.name} data-control={segment.code}>
        {segment.code}
      </span>
    ),
  );
}
