import { Box, Card, Flex, IconButton, Spinner, Text } from '@radix-ui/themes';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { MarkedText } from '@/components/code-block/marked-text';
import { Tooltip } from '@/components/tooltip/tooltip';
import styles from './file-card.module.css';
import { formatBytes } from '@/lib/format';
import { blocks as t } from '@/messages/blocks';
import { common } from '@/messages/common';
import { fileKind } from './file-kinds';

interface FileCardProps {
  name: string;
  /** A display object or data source type: csv, xlsx, pptx, png. */
  type: string;
  /** In bytes. */
  size?: number | null | undefined;
  /** One more fact, for example "12,400 rows". */
  detail?: string | undefined;
  /**
   * Fetches and saves the file. The button shows a spinner until the promise settles; a rejection is shown on the
   * card.
   */
  onDownload?: (() => void | Promise<void>) | undefined;
}

type DownloadState = 'ready' | 'running' | 'failed';

/** A file by name, kind and size, with its download. */
export function FileCard({ name, type, size, detail, onDownload }: FileCardProps) {
  const [download, setDownload] = useState<DownloadState>('ready');
  const kind = fileKind(type);
  const facts = [kind.label, size === null || size === undefined ? null : formatBytes(size), detail].filter(
    (fact) => fact !== null && fact !== undefined && fact !== '',
  );

  const start = async () => {
    setDownload('running');
    try {
      await onDownload?.();
      setDownload('ready');
    } catch {
      // The caller knows the reason and reports it; here it only matters that there is no file.
      setDownload('failed');
    }
  };

  return (
    <Card size="1" className={styles.card}>
      <Flex align="center" gap="3">
        <Flex
          align="center"
          justify="center"
          className={styles.icon}
          data-accent-color={kind.color}
          aria-hidden
        >
          <kind.icon size={18} />
        </Flex>
        <Box minWidth="0" flexGrow="1">
          <Text as="p" size="2" weight="medium" truncate title={name}>
            <bdi>
              <MarkedText text={name} />
            </bdi>
          </Text>
          {download === 'failed' ? (
            <Text as="p" size="1" color="red" role="alert">
              {t('file.failed')}
            </Text>
          ) : (
            <Text as="p" size="1" color="gray" truncate>
              {facts.join(' · ')}
            </Text>
          )}
        </Box>
        {onDownload !== undefined && (
          <Tooltip content={common('download')}>
            <IconButton
              type="button"
              size="2"
              variant="soft"
              color="gray"
              aria-label={t('file.download', { name })}
              disabled={download === 'running'}
              onClick={() => void start()}
            >
              <Spinner loading={download === 'running'}>
                <Download size={16} aria-hidden />
              </Spinner>
            </IconButton>
          </Tooltip>
        )}
      </Flex>
    </Card>
  );
}
