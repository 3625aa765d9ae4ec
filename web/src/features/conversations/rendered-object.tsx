import { Button } from '@radix-ui/themes';
import { useCallback, useEffect } from 'react';
import { useSnapshot } from 'valtio';
import { CodeBlock } from '@/components/code-block/code-block';
import type { NoticeHandler } from '@/components/code-block/notice';
import { DisplayObjectView, type DisplayContent } from '@/components/transcript/display-object-view';
import type { TranscriptDisplayObject } from '@/components/transcript/message';
import { conversation as t } from '@/messages/conversation';
import { isDebugMode } from '@/lib/debug-mode';
import { notify } from '@/lib/notify';
import { meState } from '@/stores/me-store';
import {
  displayObjectsState,
  downloadDisplayObject,
  loadDisplayObject,
  showDisplayObject,
} from '@/stores/display-objects-store';
import { ObjectMenu } from './object-menu';
import { RawChart } from './raw-chart';

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
  const isSuperuser = useSnapshot(meState).user?.isSuperuser === true;
  const size = object.size ?? 0;
  useEffect(() => showDisplayObject(object.id), [object.id]);
  const load = useCallback(() => void loadDisplayObject({ ...object, size }), [object, size]);

  async function download(): Promise<void> {
    try {
      await downloadDisplayObject({ ...object, size });
    } catch (error) {
      notify.error(t('download.failed'));
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
      {object.type === 'csv' && content.status === 'ready' && <ObjectMenu object={object} />}
      {object.type === 'highcharts' &&
        content.status === 'ready' &&
        'text' in content &&
        isSuperuser &&
        isDebugMode() && <RawChart text={content.text} onNotice={onNotice} />}
      {content.status === 'ready' && 'truncated' in content && content.truncated === true && (
        <Button
          variant="ghost"
          size="1"
          mt="2"
          onClick={() => void loadDisplayObject({ ...object, size }, true)}
        >
          {t('object.wholeTable')}
        </Button>
      )}
    </>
  );
}
