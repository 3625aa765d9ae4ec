import { Text, TextField } from '@radix-ui/themes';
import { useState } from 'react';
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
  const [draft, setDraft] = useState<string | null>(null);

  if (draft === null) {
    return (
      <div className={styles.title}>
        <h1 style={{ margin: 0, fontSize: 'inherit' }}>
          <button
            type="button"
            className={styles.titleButton}
            disabled={!editable}
            title={name}
            aria-label={editable ? `Rename ${name}` : name}
            onClick={() => setDraft(name)}
          >
            {name}
          </button>
        </h1>
      </div>
    );
  }

  const trimmed = draft.trim();
  const problem = trimmed === '' || characterCount(trimmed) > limit ? 'Please enter a name' : null;

  function finish(): void {
    if (problem !== null) return;
    if (trimmed !== name) onRename(trimmed);
    setDraft(null);
  }

  return (
    <div className={styles.title}>
      <TextField.Root
        aria-label="Conversation name"
        aria-invalid={problem !== null}
        autoFocus
        value={draft}
        maxLength={limit}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={() => {
          if (problem !== null) setDraft(null);
          else finish();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) finish();
          if (event.key === 'Escape') setDraft(null);
        }}
      />
      {problem !== null && (
        <Text size="1" color="red" role="alert">
          {problem}
        </Text>
      )}
    </div>
  );
}
