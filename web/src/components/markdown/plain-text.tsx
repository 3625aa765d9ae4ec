import { MarkedText } from '@/components/code-block/marked-text';
import styles from './markdown.module.css';

/** Plain text with its line breaks. */
export function PlainText({ text }: { text: string }) {
  return (
    <p className={styles.plain}>
      <MarkedText text={text} />
    </p>
  );
}
