import { useCallback, useEffect } from 'react';
import { useSnapshot } from 'valtio';
import { CodeBlock } from '@/components/code-block/code-block';
import { DisplayObjectView, type DisplayContent } from '@/components/transcript/display-object-view';
import type { TranscriptDisplayObject } from '@/components/transcript/message';
import {
  displayObjectsState,
  downloadDisplayObject,
  loadDisplayObject,
  showDisplayObject,
} from '@/stores/display-objects-store';

const idle: DisplayContent = { status: 'idle' };

/** A chart, table or piece of code of an answer, fetched when it comes into view. */
export function TrialObject({ object }: { object: TranscriptDisplayObject }) {
  const content: DisplayContent = useSnapshot(displayObjectsState).contents[object.id] ?? idle;
  const size = object.size ?? 0;
  useEffect(() => showDisplayObject(object.id), [object.id]);
  const load = useCallback(() => void loadDisplayObject({ ...object, size }), [object, size]);

  // Code is named python by the specification and says in which language it really is.
  if (object.type === 'python' && content.status === 'ready' && 'text' in content) {
    const named = 'language' in object && typeof object.language === 'string' ? object.language : '';
    const language = named === '' ? 'python' : named;
    return <CodeBlock code={content.text} language={language} title={object.name} collapsible />;
  }
  return (
    <DisplayObjectView
      object={object}
      content={content}
      onLoad={load}
      onDownload={() => downloadDisplayObject({ ...object, size })}
    />
  );
}
