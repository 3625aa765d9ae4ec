import { Text, TextField, VisuallyHidden } from '@radix-ui/themes';
import { useEffect, useRef, useState } from 'react';
import { characterCount, shorten } from '@/lib/text';
import { conversation as t } from '@/messages/conversation';
import styles from './conversations.module.css';

const limit = 100;

interface InlineTitleProps {
  name: string;
  editable: boolean;
  onRename: (name: string) => void;
}

/** The conversation's name. A click edits it in place; Enter or losing the focus saves, Escape does not. */
export function InlineTitle({ name, editable, onRename }: InlineTitleProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [editing, setEditing] = useState(false);
  // After the editing has ended with a key, the focus returns to the name.
  const [back, setBack] = useState(false);

  useEffect(() => {
    if (!editing && back) button.current?.focus();
  }, [editing, back]);

  if (editing) {
    return (
      <TitleEditor
        name={name}
        onRename={onRename}
        onClose={(byKey) => {
          setBack(byKey);
          setEditing(false);
        }}
      />
    );
  }
  return (
    <h1 className={styles.titleHeading}>
      <button
        ref={button}
        type="button"
        className={styles.titleButton}
        disabled={!editable}
        title={editable ? t('title.rename', { name }) : name}
        onClick={() => setEditing(true)}
      >
        {name}
      </button>
    </h1>
  );
}

interface TitleEditorProps {
  name: string;
  onRename: (name: string) => void;
  onClose: (byKey: boolean) => void;
}

function TitleEditor({ name, onRename, onClose }: TitleEditorProps) {
  const input = useRef<HTMLInputElement>(null);
  // Removing the field makes it lose the focus, which must not save a second time.
  const closed = useRef(false);
  const [draft, setDraft] = useState(name);
  // Another person may rename it meanwhile: an unchanged field must not undo that.
  const [before] = useState(name);
  const trimmed = draft.trim();
  const valid = trimmed !== '' && characterCount(trimmed) <= limit;

  // A person who clicks on the name wants to replace it.
  useEffect(() => input.current?.select(), []);

  function close(save: boolean, byKey: boolean): void {
    if (closed.current) return;
    closed.current = true;
    if (save && trimmed !== before && trimmed !== name) onRename(trimmed);
    onClose(byKey);
  }

  return (
    <>
      {/* The page keeps its heading while the name is edited. */}
      <VisuallyHidden asChild>
        <h1>{name}</h1>
      </VisuallyHidden>
      <TextField.Root
        ref={input}
        aria-label={t('title.name')}
        aria-invalid={!valid}
        value={draft}
        onChange={(event) => setDraft(shorten(event.target.value, limit))}
        onBlur={() => close(valid, false)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
            // The name has the focus when the key is released, and would handle that as a click.
            event.preventDefault();
            if (valid) close(true, true);
          }
          if (event.key === 'Escape') close(false, true);
        }}
      />
      {!valid && (
        <Text size="1" color="red" role="alert">
          {t('title.invalid')}
        </Text>
      )}
    </>
  );
}
