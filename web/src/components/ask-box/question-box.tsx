import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { cx } from '@/lib/cx';
import styles from './ask-box.module.css';

interface QuestionBoxProps {
  text: string;
  onText: (text: string) => void;
  /** Enter was pressed. */
  onEnter: () => void;
  /** The accessible name of the field. */
  label: string;
  placeholder: string;
  /** Two lines high from the beginning, if it is the first element of its page. */
  large?: boolean;
  /** What is below the text: the choices for the question, and the buttons. */
  children: ReactNode;
  ref?: RefObject<HTMLTextAreaElement | null>;
}

/** A box for a question, which grows with its text. Enter sends, Shift+Enter adds a line. */
export function QuestionBox(props: QuestionBoxProps) {
  const { text, onText, onEnter, label, placeholder, large = false, children, ref } = props;
  const own = useRef<HTMLTextAreaElement>(null);
  const field = ref ?? own;

  useEffect(() => {
    // Browsers without field-sizing grow the box by its content's height.
    const box = field.current;
    if (!box || CSS.supports('field-sizing', 'content')) return;
    box.style.height = 'auto';
    box.style.height = `${box.scrollHeight}px`;
  }, [text, field]);

  return (
    <div className={cx(styles.box, large && styles.large)}>
      <textarea
        ref={field}
        className={styles.input}
        aria-label={label}
        data-question=""
        placeholder={placeholder}
        rows={large ? 2 : 1}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          // Enter that ends the composition of a character does not send.
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          onEnter();
        }}
      />
      <div className={styles.controls}>{children}</div>
    </div>
  );
}
