import { useEffect, useState } from 'react';
import type { BlueprintValues } from '@/lib/blueprint-form';
import { useDebounced } from '@/lib/use-debounced';
import { writtenMessage } from '@/stores/blueprints-store/save';

/**
 * The message that the server generates if none is given, for the preview; `null` while it is loading. It is
 * requested when the typing pauses. If the request fails, there is no preview.
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
