import { Box, Button, Callout, Flex, IconButton, Skeleton, Text } from '@radix-ui/themes';
import { Download, RefreshCw, TriangleAlert } from 'lucide-react';
import { type ComponentProps, useEffect } from 'react';
import { Chart } from '@/components/chart/chart';
import { CodeBlock } from '@/components/code-block/code-block';
import type { NoticeHandler } from '@/components/code-block/notice';
import { LaterTable } from '@/components/data-table/later-table';
import { FileCard } from '@/components/file-card/file-card';
import type { LogView } from '@/components/log-view/log-view';
import { Tooltip } from '@/components/tooltip/tooltip';
import type { DisplayContent } from '@/lib/display-content';
import { shownLater } from '@/lib/shown-later';
import { common } from '@/messages/common';
import { transcript as t } from '@/messages/transcript';
import type { TranscriptDisplayObject } from './message';
import styles from './display-object-view.module.css';

/** Logs are in the workings, which are folded. */
const LaterLog = shownLater<ComponentProps<typeof LogView>>(
  async () => (await import('@/components/log-view/log-view')).LogView,
  () => <Skeleton height="60px" />,
);

interface DisplayObjectViewProps {
  object: TranscriptDisplayObject;
  content: DisplayContent;
  /** Called when the object is on screen and its content is idle, and when the user retries. */
  onLoad?: ((object: TranscriptDisplayObject) => void) | undefined;
  onDownload?: ((object: TranscriptDisplayObject) => void | Promise<void>) | undefined;
  onNotice?: NoticeHandler | undefined;
}

type Shape = 'chart' | 'table' | 'logs' | 'code' | 'image' | 'file';

const shapes: Readonly<Record<string, Shape>> = {
  highcharts: 'chart',
  csv: 'table',
  logs: 'logs',
  python: 'code',
  png: 'image',
  jpg: 'image',
  jpeg: 'image',
  gif: 'image',
};

/** A display object by its type: chart, table, logs, code, image, else a file to download. */
export function DisplayObjectView({ object, content, onLoad, onDownload, onNotice }: DisplayObjectViewProps) {
  const shape = Object.hasOwn(shapes, object.type) ? (shapes[object.type] ?? 'file') : 'file';
  const wanted = shape !== 'file' && content.status === 'idle';

  useEffect(() => {
    if (wanted) onLoad?.(object);
  }, [wanted, object, onLoad]);

  const download = onDownload === undefined ? undefined : () => onDownload(object);
  if (shape === 'file') {
    return <FileCard name={object.name} type={object.type} size={object.size} onDownload={download} />;
  }
  if (content.status === 'failed') {
    return (
      <ObjectFailure name={object.name} onRetry={onLoad === undefined ? undefined : () => onLoad(object)} />
    );
  }
  if (content.status !== 'ready')
    return <Skeleton className={styles.waiting} data-shape={shape} aria-label={common('loading')} />;
  if ('imageUrl' in content) {
    return (
      <ObjectFrame name={object.name} onDownload={download}>
        <img className={styles.image} src={content.imageUrl} alt={object.name} />
      </ObjectFrame>
    );
  }
  return (
    <TextObject
      {...{ object, shape, onNotice }}
      onDownload={download}
      text={content.text}
      truncated={content.truncated ?? false}
    />
  );
}

interface TextObjectProps {
  object: TranscriptDisplayObject;
  shape: Exclude<Shape, 'file'>;
  text: string;
  truncated: boolean;
  onDownload: (() => void | Promise<void>) | undefined;
  onNotice: NoticeHandler | undefined;
}

function TextObject({ object, shape, text, truncated, onDownload, onNotice }: TextObjectProps) {
  switch (shape) {
    case 'chart':
      return <Chart config={text} title={object.name} fileName={object.name} onNotice={onNotice} />;
    case 'table': {
      // The ending is for the file; a title is words.
      const title = object.name.replace(/\.csv$/iu, '');
      return (
        <ObjectFrame name={object.name} title={title} onDownload={onDownload}>
          <LaterTable
            data={text}
            caption={title}
            truncated={truncated}
            shown={object.columns}
            onNotice={onNotice}
          />
        </ObjectFrame>
      );
    }
    case 'logs':
      return <LaterLog text={text} title={object.name} onNotice={onNotice} />;
    case 'code':
      // The type of code is always python in the specification; the object says which language it really is.
      return (
        <CodeBlock
          code={text}
          language={object.language || 'python'}
          title={object.name}
          collapsible
          onNotice={onNotice}
        />
      );
    case 'image':
      // An image whose content was received as text cannot be trusted to be an image.
      return <FileCard name={object.name} type={object.type} size={object.size} onDownload={onDownload} />;
  }
}

interface ObjectFrameProps {
  /** The name of its file. */
  name: string;
  /** The heading; the name of the file by default. */
  title?: string;
  onDownload: (() => void | Promise<void>) | undefined;
  children: React.ReactNode;
}

function ObjectFrame({ name, title = name, onDownload, children }: ObjectFrameProps) {
  return (
    <Box>
      <Flex align="center" justify="between" gap="3" mb="1" px="1">
        <Text size="2" weight="medium" truncate>
          {title}
        </Text>
        {onDownload !== undefined && (
          <Tooltip content={common('download')}>
            <IconButton
              type="button"
              size="1"
              variant="ghost"
              color="gray"
              aria-label={t('object.download', { name })}
              onClick={() => void onDownload()}
            >
              <Download size={14} aria-hidden />
            </IconButton>
          </Tooltip>
        )}
      </Flex>
      {children}
    </Box>
  );
}

interface ObjectFailureProps {
  name: string;
  onRetry: (() => void) | undefined;
}

function ObjectFailure({ name, onRetry }: ObjectFailureProps) {
  return (
    <Callout.Root color="gray" variant="surface" size="1" role="alert">
      <Callout.Icon>
        <TriangleAlert size={16} aria-hidden />
      </Callout.Icon>
      <Callout.Text>{t('object.failed', { name })}</Callout.Text>
      {onRetry !== undefined && (
        <div>
          <Button type="button" size="1" variant="soft" color="gray" onClick={onRetry}>
            <RefreshCw size={12} aria-hidden />
            {common('retry')}
          </Button>
        </div>
      )}
    </Callout.Root>
  );
}
