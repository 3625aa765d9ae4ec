import { IconButton } from '@radix-ui/themes';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Tooltip } from '@/components/tooltip/tooltip';
import { copyToClipboard } from '@/lib/clipboard';
import { common } from '@/messages/common';
import type { NoticeHandler } from './notice';

const confirmationMs = 2000;

interface CopyButtonProps {
  /** The text, or a function for text that is costly to put together. */
  text: string | (() => string);
  /** Accessible name and tooltip, for example "Copy code". */
  label: string;
  /** The message on success, for example "Code copied". */
  notice: string;
  onNotice?: NoticeHandler | undefined;
}

/** A quiet icon button that copies text and shows a tick for two seconds. */
export function CopyButton({ text, label, notice, onNotice }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => {
      setCopied(false);
    }, confirmationMs);
    return () => {
      clearTimeout(timer);
    };
  }, [copied]);

  const copy = async () => {
    const worked = await copyToClipboard(typeof text === 'function' ? text() : text);
    setCopied(worked);
    onNotice?.(worked ? { tone: 'success', text: notice } : { tone: 'error', text: common('copy.failed') });
  };

  return (
    <Tooltip content={copied ? notice : label}>
      <IconButton
        type="button"
        size="1"
        variant="ghost"
        color="gray"
        aria-label={label}
        onClick={() => void copy()}
      >
        {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
      </IconButton>
    </Tooltip>
  );
}
