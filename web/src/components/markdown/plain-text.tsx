import { MarkedText } from '@/components/code-block/marked-text';
import styles from './markdown.module.css';

/** Text as it is, line breaks kept. */
export function PlainText({ text }: { text: string }) {
  return (
    <p className={styles.plain}>
      <MarkedText text={text} />
    </p>
  );
}
