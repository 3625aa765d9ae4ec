import { useCallback, useEffect } from 'react';
import { useSnapshot } from 'valtio';
import type { NoticeHandler } from '@/components/code-block/notice';
import { DisplayObjectView, type DisplayContent } from '@/components/transcript/display-object-view';
import type { TranscriptDisplayObject } from '@/components/transcript/message';
import {
  displayObjectsState,
  downloadDisplayObject,
  loadDisplayObject,
  showDisplayObject,
} from '@/stores/display-objects-store';

interface FeedbackObjectProps {
  object: TranscriptDisplayObject;
  onNotice: NoticeHandler;
}

const idle: DisplayContent = { status: 'idle' };

/** A chart, table or file of a conversation that is read for what was said of it. */
export function FeedbackObject({ object, onNotice }: FeedbackObjectProps) {
  const content: DisplayContent = useSnapshot(displayObjectsState).contents[object.id] ?? idle;
  const size = object.size ?? 0;
  useEffect(() => showDisplayObject(object.id), [object.id]);
  const load = useCallback(() => void loadDisplayObject({ ...object, size }), [object, size]);
  return (
    <DisplayObjectView
      object={object}
      content={content}
      onLoad={load}
      onDownload={() => downloadDisplayObject({ ...object, size })}
      onNotice={onNotice}
    />
  );
}
