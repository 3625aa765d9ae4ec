import { ArrowUp, Square } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { QuestionBox } from '@/components/ask-box/question-box';
import { RoundButton } from '@/components/ask-box/round-button';
import { conversation as t } from '@/messages/conversation';

interface MessageBoxProps {
  text: string;
  onText: (text: string) => void;
  onSend: () => void;
  /** Sends it when the current answer has ended. */
  onQueue: () => void;
  /** An answer is being generated: the button stops it. */
  running: boolean;
  onStop: () => void;
  /** A send or a stop is under way. */
  busy: boolean;
  /** Agent and connectors, at the left of the button. */
  children: ReactNode;
}

/** The message box of a conversation, which can also queue a question and stop an answer. */
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

  /**
   * The button that was pressed disappears; the focus moves to the text, unless that would open an on-screen
   * keyboard.
   */
  function goOn(options?: FocusOptions): void {
    if (window.matchMedia('(pointer: fine)').matches) input.current?.focus(options);
  }

  useEffect(() => {
    // The text gets the focus if the focused element was removed with the page before; another element keeps the
    // focus.
    if (document.activeElement === document.body) goOn({ preventScroll: true });
  }, []);

  return (
    <QuestionBox
      ref={input}
      text={text}
      onText={onText}
      onEnter={() => {
        if (canSend) onSend();
        else if (canQueue) onQueue();
      }}
      label={t('message')}
      placeholder={t('message.placeholder')}
    >
      {children}
      {canQueue && (
        <RoundButton label={t('queue')} variant="soft" onClick={onQueue}>
          <ArrowUp size={18} />
        </RoundButton>
      )}
      {running ? (
        <RoundButton
          label={t('stop')}
          loading={busy}
          onClick={() => {
            goOn();
            onStop();
          }}
        >
          <Square size={13} fill="currentColor" />
        </RoundButton>
      ) : (
        <RoundButton
          label={t('send')}
          disabled={!canSend}
          loading={busy}
          onClick={() => {
            goOn();
            onSend();
          }}
        >
          <ArrowUp size={18} />
        </RoundButton>
      )}
    </QuestionBox>
  );
}
