import { IconButton, Tooltip } from '@radix-ui/themes';
import { ArrowUp, Square } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { conversation as t } from '@/messages/conversation';
import styles from './conversations.module.css';

interface MessageBoxProps {
  text: string;
  onText: (text: string) => void;
  onSend: () => void;
  /** Sends it once the answer that runs is done. */
  onQueue: () => void;
  /** An answer runs: the button stops it. */
  running: boolean;
  onStop: () => void;
  /** A send or a stop is on its way. */
  busy: boolean;
  /** Agent and connectors, at the left of the button. */
  children: ReactNode;
}

/** The message box. Enter sends, Shift+Enter adds a line. */
export function MessageBox({
  text,
  onText,
  onSend,
  onQueue,
  running,
  onStop,
  busy,
  children,
}: MessageBoxProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  const canSend = text.trim() !== '' && !running && !busy;
  const canQueue = text.trim() !== '' && running;

  useEffect(() => {
    // Browsers without field-sizing grow the box by its content's height.
    const box = input.current;
    if (!box || CSS.supports('field-sizing', 'content')) return;
    box.style.height = 'auto';
    box.style.height = `${box.scrollHeight}px`;
  }, [text]);

  /** The button that was pressed goes away; who pressed it goes on writing, unless that opens a keyboard. */
  function goOn(options?: FocusOptions): void {
    if (window.matchMedia('(pointer: fine)').matches) input.current?.focus(options);
  }

  useEffect(() => {
    // Who has come here to write, begins: the page that had the focus has gone. What has it still, keeps it.
    if (document.activeElement === document.body) goOn({ preventScroll: true });
  }, []);

  return (
    <div className={styles.box}>
      <textarea
        ref={input}
        className={styles.input}
        aria-label={t('message')}
        placeholder={t('message.placeholder')}
        rows={1}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          // Enter that ends the composing of a character is not a send.
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          if (canSend) onSend();
          else if (canQueue) onQueue();
        }}
      />
      <div className={styles.controls}>
        {children}
        {canQueue && (
          <Tooltip content={t('queue')}>
            <IconButton radius="full" variant="soft" aria-label={t('queue')} onClick={onQueue}>
              <ArrowUp size={18} />
            </IconButton>
          </Tooltip>
        )}
        {running ? (
          <Tooltip content={t('stop')}>
            <IconButton
              radius="full"
              aria-label={t('stop')}
              loading={busy}
              onClick={() => {
                goOn();
                onStop();
              }}
            >
              <Square size={13} fill="currentColor" />
            </IconButton>
          </Tooltip>
        ) : (
          <Tooltip content={t('send')}>
            <IconButton
              radius="full"
              aria-label={t('send')}
              disabled={!canSend}
              loading={busy}
              onClick={() => {
                goOn();
                onSend();
              }}
            >
              <ArrowUp size={18} />
            </IconButton>
          </Tooltip>
        )}
      </div>
    </div>
  );
}
