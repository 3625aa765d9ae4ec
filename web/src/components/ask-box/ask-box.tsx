import { IconButton, Tooltip } from '@radix-ui/themes';
import { ArrowUp } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import styles from './ask-box.module.css';

interface AskBoxProps {
  text: string;
  onText: (text: string) => void;
  onSend: () => void;
  /** Accessible names of the field and of the button. */
  label: string;
  sendLabel: string;
  placeholder: string;
  /** A question is on its way. */
  busy: boolean;
  /** What is chosen beside the question: connectors, agent. */
  children: ReactNode;
  ref?: Ref<HTMLTextAreaElement>;
}

/** A large box for a question. Enter sends, Shift+Enter adds a line. */
export function AskBox(props: AskBoxProps) {
  const { text, onText, onSend, label, sendLabel, placeholder, busy, children, ref } = props;
  const canSend = text.trim() !== '' && !busy;
  return (
    <div className={styles.box}>
      <textarea
        ref={ref}
        className={styles.input}
        aria-label={label}
        placeholder={placeholder}
        rows={2}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          // Enter that ends the composing of a character is not a send.
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          if (canSend) onSend();
        }}
      />
      <div className={styles.controls}>
        {children}
        <Tooltip content={sendLabel}>
          <IconButton
            radius="full"
            aria-label={sendLabel}
            disabled={!canSend}
            loading={busy}
            onClick={onSend}
          >
            <ArrowUp size={18} />
          </IconButton>
        </Tooltip>
      </div>
    </div>
  );
}
