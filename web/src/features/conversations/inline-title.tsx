import { Text, TextField } from '@radix-ui/themes';
import { useEffect, useRef, useState } from 'react';
import { characterCount } from '@/lib/text';
import styles from './conversations.module.css';

const limit = 100;

interface InlineTitleProps {
  name: string;
  editable: boolean;
  onRename: (name: string) => void;
}

/** The conversation's name. A click edits it in place; Enter or leaving saves, Escape does not. */
export function InlineTitle({ name, editable, onRename }: InlineTitleProps) {
  const [editing, setEditing] = useState(false);
  if (editing) {
    return (
      <div className={styles.title}>
        <TitleEditor name={name} onRename={onRename} onClose={() => setEditing(false)} />
      </div>
    );
  }
  return (
    <div className={styles.title}>
      <h1 className={styles.titleHeading}>
        <button
          type="button"
          className={styles.titleButton}
          disabled={!editable}
          title={editable ? `Rename ${name}` : name}
          onClick={() => setEditing(true)}
        >
          {name}
        </button>
      </h1>
    </div>
  );
}

interface TitleEditorProps {
  name: string;
  onRename: (name: string) => void;
  onClose: () => void;
}

function TitleEditor({ name, onRename, onClose }: TitleEditorProps) {
  const input = useRef<HTMLInputElement>(null);
  // Taking the field away makes it lose the focus, which must not save a second time.
  const closed = useRef(false);
  const [draft, setDraft] = useState(name);
  const trimmed = draft.trim();
  const valid = trimmed !== '' && characterCount(trimmed) <= limit;

  // Whoever clicked the name wants to type where it stood.
  useEffect(() => input.current?.select(), []);

  function close(save: boolean): void {
    if (closed.current) return;
    closed.current = true;
    if (save && trimmed !== name) onRename(trimmed);
    onClose();
  }

  return (
    <>
      <TextField.Root
        ref={input}
        aria-label="Conversation name"
        aria-invalid={!valid}
        value={draft}
        maxLength={limit}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={() => close(valid)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing && valid) close(true);
          if (event.key === 'Escape') close(false);
        }}
      />
      {!valid && (
        <Text size="1" color="red" role="alert">
          Please enter a name
        </Text>
      )}
    </>
  );
}
