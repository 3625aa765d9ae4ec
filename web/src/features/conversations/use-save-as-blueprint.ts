import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '@/lib/paths';
import { blueprintFromConversation } from '@/stores/blueprints-store/from-conversation';
import { sessionLog } from '@/stores/conversation-session';

export interface SaveAsBlueprint {
  /** There is content to write it from. */
  canSave: boolean;
  isSaving: boolean;
  save: () => void;
  cancel: () => void;
}

/** Writes a blueprint from the open conversation, and opens it. */
export function useSaveAsBlueprint(conversationId: string): SaveAsBlueprint {
  const navigate = useNavigate();
  // Each new message makes it another state of the conversation.
  const last = useSyncExternalStore(sessionLog.subscribe, () => sessionLog.snapshot().at(-1)?.id ?? null);
  const saving = useRef<AbortController | null>(null);
  const [isSaving, setSaving] = useState(false);

  useEffect(() => () => saving.current?.abort(), [conversationId]);

  async function save(): Promise<void> {
    const mine = new AbortController();
    saving.current = mine;
    setSaving(true);
    const blueprint = await blueprintFromConversation(conversationId, last ?? '', mine.signal);
    if (saving.current !== mine || mine.signal.aborted) return;
    setSaving(false);
    if (blueprint !== null) await navigate(paths.blueprint(blueprint));
  }

  return {
    canSave: last !== null,
    isSaving,
    save: () => void save(),
    cancel: () => {
      saving.current?.abort();
      setSaving(false);
    },
  };
}
