import type { NoticeHandler } from '@/components/code-block/notice';
import { DisplayObjectView } from '@/components/transcript/display-object-view';
import type { TranscriptDisplayObject } from '@/components/transcript/message';
import { useDisplayObject } from '@/lib/use-display-object';
import { loadedContents } from '@/stores/display-objects-store';

interface FeedbackObjectProps {
  object: TranscriptDisplayObject;
  onNotice: NoticeHandler;
}

/** A chart, table or file of a conversation that is shown with its feedback. */
export function FeedbackObject({ object, onNotice }: FeedbackObjectProps) {
  const { content, onLoad, onDownload } = useDisplayObject(loadedContents, object);
  return <DisplayObjectView {...{ object, content, onLoad, onDownload, onNotice }} />;
}
