import { Badge, Box, Flex, Text } from '@radix-ui/themes';
import { ChevronRight, ScrollText } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { CopyButton } from '@/components/code-block/copy-button';
import { MarkedText } from '@/components/code-block/marked-text';
import type { NoticeHandler } from '@/components/code-block/notice';
import { blocks as t } from '@/messages/blocks';
import styles from './log-view.module.css';
import { stripAnsi } from './strip-ansi';

// A browser lays out this much text at once without a noticeable pause.
const shownCharacters = 200_000;

interface LogViewProps {
  text: string;
  /** Heading; default "Logs". */
  title?: string | undefined;
  defaultOpen?: boolean | undefined;
  /** Height in px above which the log scrolls; default 320. */
  maxHeight?: number | undefined;
  onNotice?: NoticeHandler | undefined;
}

/** Output of a run: folded away at first, text only, terminal sequences removed. Copying takes the full text. */
export function LogView({
  text,
  title = t('logs'),
  defaultOpen = false,
  maxHeight = 320,
  onNotice,
}: LogViewProps) {
  const [open, setOpen] = useState(defaultOpen);
  const panelId = useId();
  const clean = useMemo(() => stripAnsi(text), [text]);
  const lineCount = useMemo(() => countLines(clean), [clean]);

  return (
    <Box className={styles.log} role="group" aria-label={title}>
      <Flex align="center" gap="2" pr="3">
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={open}
          aria-controls={panelId}
          onClick={() => {
            setOpen(!open);
          }}
        >
          <ChevronRight size={14} aria-hidden className={styles.chevron} data-open={open} />
          <ScrollText size={14} aria-hidden />
          <Text size="2" weight="medium" truncate>
            {title}
          </Text>{' '}
          <Badge size="1" color="gray" variant="soft">
            {t('logs.lines', { count: lineCount })}
          </Badge>
        </button>
        <CopyButton text={clean} label={t('logs.copy')} notice={t('logs.copied')} onNotice={onNotice} />
      </Flex>
      <div id={panelId} hidden={!open}>
        {open && (
          <div
            className={styles.scroll}
            style={{ maxHeight }}
            role="group"
            aria-label={t('code.text', { name: title })}
            // What scrolls must be reachable by keyboard, or its hidden part is not.
            // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
            tabIndex={0}
          >
            <LogText text={clean} />
          </div>
        )}
      </div>
    </Box>
  );
}

function LogText({ text }: { text: string }) {
  const hidden = text.length - shownCharacters;
  // The end of a log shows the result, so the beginning is cut off.
  const shown = hidden > 0 ? text.slice(hidden) : text;
  return (
    <pre className={styles.text} dir="ltr">
      {hidden > 0 && <span className={styles.cut}>{`${t('logs.cut', { count: hidden })}\n`}</span>}
      {text === '' ? <span className={styles.cut}>{t('logs.none')}</span> : <MarkedText text={shown} />}
    </pre>
  );
}

function countLines(text: string): number {
  if (text === '') return 0;
  const lines = text.split('\n').length;
  return text.endsWith('\n') ? lines - 1 : lines;
}
