import { Button } from '@radix-ui/themes';
import { useCallback, useEffect } from 'react';
import { useSnapshot } from 'valtio';
import { CodeBlock, type NoticeHandler } from '@/components/code-block';
import {
  DisplayObjectView,
  type DisplayContent,
  type TranscriptDisplayObject,
} from '@/components/transcript';
import { notify } from '@/lib/notify';
import {
  displayObjectsState,
  downloadDisplayObject,
  loadDisplayObject,
  showDisplayObject,
} from '@/stores/display-objects-store';

function languageOf(object: TranscriptDisplayObject): string {
  const named = 'language' in object && typeof object.language === 'string' ? object.language : '';
  return named === '' ? 'python' : named;
}

interface RenderedObjectProps {
  object: TranscriptDisplayObject;
  onNotice: NoticeHandler;
}

const idle: DisplayContent = { status: 'idle' };

/** A display object with its content, which is fetched when it comes into view. */
export function RenderedObject({ object, onNotice }: RenderedObjectProps) {
  const content: DisplayContent = useSnapshot(displayObjectsState).contents[object.id] ?? idle;
  const size = object.size ?? 0;
  useEffect(() => showDisplayObject(object.id), [object.id]);
  const load = useCallback(() => void loadDisplayObject({ ...object, size }), [object, size]);

  async function download(): Promise<void> {
    try {
      await downloadDisplayObject({ ...object, size });
    } catch (error) {
      notify.error('Failed to download file');
      throw error;
    }
  }

  // Code is named python by the specification and says in which language it really is.
  if (object.type === 'python' && content.status === 'ready' && 'text' in content) {
    return (
      <CodeBlock
        code={content.text}
        language={languageOf(object)}
        title={object.name}
        collapsible
        onNotice={onNotice}
      />
    );
  }

  return (
    <>
      <DisplayObjectView
        object={object}
        content={content}
        onLoad={load}
        onDownload={download}
        onNotice={onNotice}
      />
      {content.status === 'ready' && 'truncated' in content && content.truncated === true && (
        <Button
          variant="ghost"
          size="1"
          mt="2"
          onClick={() => void loadDisplayObject({ ...object, size }, true)}
        >
          Show the whole table
        </Button>
      )}
    </>
  );
}
