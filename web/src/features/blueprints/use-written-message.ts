import { useEffect, useState } from 'react';
import type { BlueprintValues } from '@/lib/blueprint-form';
import { useDebounced } from '@/lib/use-debounced';
import { writtenMessage } from '@/stores/blueprints-store/save';

/**
 * The message that the server writes where none is given, for the preview; `null` while it is on its way. What is
 * typed is asked for when it rests. Where the server cannot say, there is nothing to preview.
 */
export function useWrittenMessage(values: BlueprintValues, wanted: boolean): string | null {
  const asked = useDebounced(JSON.stringify(values));
  const [written, setWritten] = useState<{ of: string; text: string } | null>(null);

  useEffect(() => {
    if (!wanted) return;
    const asking = new AbortController();
    void writtenMessage(JSON.parse(asked) as BlueprintValues, asking.signal).then((text) => {
      if (!asking.signal.aborted) setWritten({ of: asked, text: text ?? '' });
    });
    return () => asking.abort();
  }, [asked, wanted]);

  return written?.of === asked ? written.text : null;
}
