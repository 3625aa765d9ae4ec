import { DisplayObjectView } from '@/components/transcript/display-object-view';
import type { TranscriptDisplayObject } from '@/components/transcript/message';
import { useDisplayObject } from '@/lib/use-display-object';
import { loadedContents } from '@/stores/display-objects-store';

/** A chart, table or piece of code of an answer in a trial conversation. */
export function TrialObject({ object }: { object: TranscriptDisplayObject }) {
  const { content, onLoad, onDownload } = useDisplayObject(loadedContents, object);
  return <DisplayObjectView {...{ object, content, onLoad, onDownload }} />;
}
