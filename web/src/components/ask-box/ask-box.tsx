import { ArrowUp } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { QuestionBox } from './question-box';
import { RoundButton } from './round-button';

interface AskBoxProps {
  text: string;
  onText: (text: string) => void;
  onSend: () => void;
  /** Accessible names of the field and of the button. */
  label: string;
  sendLabel: string;
  placeholder: string;
  /** A question is being sent. */
  busy: boolean;
  /** The choices next to the question: connectors, agent. */
  children: ReactNode;
  ref?: RefObject<HTMLTextAreaElement | null>;
}

/** A large box for a question, with its button. */
export function AskBox({ onSend, sendLabel, busy, children, ...field }: AskBoxProps) {
  const canSend = field.text.trim() !== '' && !busy;
  return (
    <QuestionBox {...field} large onEnter={() => canSend && onSend()}>
      {children}
      <RoundButton label={sendLabel} disabled={!canSend} loading={busy} onClick={onSend}>
        <ArrowUp size={18} />
      </RoundButton>
    </QuestionBox>
  );
}
