import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { cleanFileName, defaultConnectorName, fileProblem, isOwnName } from '@/lib/connector-form';
import type { UploadFormValues } from '@/lib/connector-rules';
import type { SubmitFailure } from '@/lib/submit-failure';
import type { InspectedFile } from './upload-values';

interface InspectionOptions {
  accepted: readonly string[];
  maxSize: number;
  onInspect: (file: File, signal: AbortSignal) => Promise<InspectedFile>;
  explain: (error: unknown) => SubmitFailure;
}

interface Inspection {
  /** The server is being asked what the file is. */
  inspecting: boolean;
  /** Why the chosen file could not be read, if the reason may be temporary. */
  unread: string | null;
  /** Takes a file, or says why not. */
  choose: (file: File) => void;
  /** Asks the server what the chosen file is. */
  read: (file: File) => Promise<void>;
}

/** Fills the form of a new connector with what the server finds in its file; what a person has typed is kept. */
export function useInspection(
  form: UseFormReturn<UploadFormValues, unknown, UploadFormValues>,
  { accepted, maxSize, onInspect, explain }: InspectionOptions,
): Inspection {
  const [inspecting, setInspecting] = useState(false);
  const [unread, setUnread] = useState<string | null>(null);
  const inspection = useRef<AbortController | null>(null);
  // The description that the server proposed: a different one was typed by the person.
  const proposed = useRef('');

  useEffect(() => () => inspection.current?.abort(), []);

  function set(changes: Partial<UploadFormValues>): void {
    for (const [name, value] of Object.entries(changes))
      form.setValue(name as keyof UploadFormValues, value, { shouldDirty: true });
  }

  function refuse(reason: string): void {
    form.setError('file', { type: 'refused', message: reason });
  }

  function choose(file: File): void {
    const held = form.getValues();
    const reason = fileProblem(file, { accepted, maxSize });
    if (reason !== undefined) {
      // The file that was chosen before is kept, with what has been typed for it, and can be sent.
      if (held.file === null || held.refused !== '') set({ refused: reason });
      refuse(reason);
      return;
    }
    const isProposed = held.description === proposed.current;
    proposed.current = '';
    set({
      file,
      fileName: cleanFileName(file.name),
      name: isOwnName(held) ? held.name : defaultConnectorName(file.name),
      description: isProposed ? '' : held.description,
    });
    void read(file);
  }

  async function read(file: File): Promise<void> {
    inspection.current?.abort();
    const abort = new AbortController();
    inspection.current = abort;
    form.clearErrors();
    set({ refused: '' });
    setUnread(null);
    setInspecting(true);
    try {
      const info = await onInspect(file, abort.signal);
      if (abort.signal.aborted) return;
      proposed.current = info.description;
      set({
        delimiter: info.delimiter === '' ? 'auto' : info.delimiter,
        description: form.getValues('description') || info.description,
      });
    } catch (error) {
      if (abort.signal.aborted) return;
      const failed = explain(error);
      const about = failed.fields.find(({ field }) => field === 'file');
      if (about === undefined) setUnread(failed.message);
      else {
        set({ refused: about.message });
        refuse(about.message);
      }
    }
    setInspecting(false);
  }

  const readAgain = useEffectEvent(() => {
    const file = form.getValues('file');
    if (unread !== null && file !== null && !inspecting) void read(file);
  });
  // When the connection is back, the file is read again without a press.
  useEffect(() => {
    const again = (): void => readAgain();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, []);

  return { inspecting, unread, choose, read };
}
