import { Button } from '@radix-ui/themes';
import { useSnapshot } from 'valtio';
import type { NoticeHandler } from '@/components/code-block/notice';
import { DisplayObjectView } from '@/components/transcript/display-object-view';
import type { TranscriptDisplayObject } from '@/components/transcript/message';
import { isDebugMode } from '@/lib/debug-mode';
import { useDisplayObject } from '@/lib/use-display-object';
import { conversation as t } from '@/messages/conversation';
import { loadedContents } from '@/stores/display-objects-store';
import { meState } from '@/stores/me-store';
import { ObjectMenu } from './object-menu';
import { RawChart } from './raw-chart';

interface RenderedObjectProps {
  object: TranscriptDisplayObject;
  onNotice: NoticeHandler;
}

/** A display object with its content, and the actions of its owner. */
export function RenderedObject({ object, onNotice }: RenderedObjectProps) {
  const { content, onLoad, onLoadWhole, onDownload } = useDisplayObject(loadedContents, object);
  const isSuperuser = useSnapshot(meState).user?.isSuperuser === true;
  return (
    <>
      <DisplayObjectView {...{ object, content, onLoad, onDownload, onNotice }} />
      {object.type === 'csv' && content.status === 'ready' && <ObjectMenu object={object} />}
      {object.type === 'highcharts' &&
        content.status === 'ready' &&
        'text' in content &&
        isSuperuser &&
        isDebugMode() && <RawChart text={content.text} onNotice={onNotice} />}
      {content.status === 'ready' && 'truncated' in content && content.truncated && (
        <Button variant="ghost" size="1" mt="2" onClick={onLoadWhole}>
          {t('object.wholeTable')}
        </Button>
      )}
    </>
  );
}
