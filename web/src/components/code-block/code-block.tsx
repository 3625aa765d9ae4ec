import { Badge, Box, Button, Flex, Text } from '@radix-ui/themes';
import { ChevronDown, ChevronUp, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { blocks as t } from '@/messages/blocks';
import styles from './code-block.module.css';
import { CopyButton } from './copy-button';
import { languageLabel } from './languages';
import { MarkedText } from './marked-text';
import type { NoticeHandler } from './notice';
import { useHighlight } from './use-highlight';
import { hasControls } from './visible-controls';

const collapsedLines = 12;

interface CodeBlockProps {
  code: string;
  /** Language tag as a model writes it: `python`, `py`, `sql`. */
  language?: string | undefined;
  /** Shown next to the language, for example a file name. */
  title?: string | undefined;
  /** Height in px above which the code scrolls; default 480. */
  maxHeight?: number | undefined;
  /** Long code starts folded to twelve lines. */
  collapsible?: boolean | undefined;
  onNotice?: NoticeHandler | undefined;
}

/** Code in colours, with its language, a copy button, with hidden control characters made visible. */
export function CodeBlock({
  code,
  language,
  title,
  maxHeight = 480,
  collapsible = false,
  onNotice,
}: CodeBlockProps) {
  const [open, setOpen] = useState(false);
  const lines = code.split('\n');
  const foldable = collapsible && lines.length > collapsedLines + 2;
  const shown = foldable && !open ? lines.slice(0, collapsedLines).join('\n') : code;
  const label = languageLabel(language);

  return (
    <Box className={styles.block} role="group" aria-label={title ?? t('code.name', { language: label })}>
      <Flex align="center" gap="2" px="3" className={styles.bar}>
        <Text size="1" color="gray" weight="medium">
          {label}
        </Text>
        {title !== undefined && (
          <Text size="1" color="gray" truncate>
            {title}
          </Text>
        )}
        {hasControls(code) && (
          <Badge size="1" color="red" variant="soft" className={styles.strong}>
            <TriangleAlert size={11} aria-hidden /> {t('code.hidden')}
          </Badge>
        )}
        <Box flexGrow="1" />
        <CopyButton text={code} label={t('code.copy')} notice={t('code.copied')} onNotice={onNotice} />
      </Flex>
      <div
        className={styles.scroll}
        style={{ maxHeight }}
        role="group"
        aria-label={t('code.text', { name: title ?? label })}
        // What scrolls must be reachable by keyboard, or its hidden part is not.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
        tabIndex={0}
      >
        <CodeText code={shown} language={language} />
      </div>
      {foldable && (
        <Button
          type="button"
          size="1"
          variant="ghost"
          color="gray"
          className={styles.fold}
          aria-expanded={open}
          onClick={() => {
            setOpen(!open);
          }}
        >
          {open ? <ChevronUp size={13} aria-hidden /> : <ChevronDown size={13} aria-hidden />}
          {open ? t('code.less') : t('code.all', { count: lines.length })}
        </Button>
      )}
    </Box>
  );
}

function CodeText({ code, language }: { code: string; language: string | undefined }) {
  const tokens = useHighlight(code, language);
  return (
    <pre className={styles.code} dir="ltr">
      <code>
        {tokens === null ? (
          <MarkedText text={code} />
        ) : (
          tokens.map((token, index) => (
            <span key={index} className={token.kind === null ? undefined : styles[token.kind]}>
              <MarkedText text={token.text} />
            </span>
          ))
        )}
      </code>
    </pre>
  );
}
