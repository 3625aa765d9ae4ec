import { Text } from '@radix-ui/themes';
import { useMemo } from 'react';
import { parseChartConfig } from '@/components/chart/parse-chart-config';
import { CodeBlock } from '@/components/code-block/code-block';
import type { NoticeHandler } from '@/components/code-block/notice';
import { blocks as t } from '@/messages/blocks';

interface RawChartProps {
  text: string;
  onNotice: NoticeHandler;
}

/** A chart's configuration as it was received, and which of its keys were not drawn, for superusers in debug mode. */
export function RawChart({ text, onNotice }: RawChartProps) {
  const parsed = useMemo(() => parseChartConfig(text), [text]);
  const said = parsed.ok
    ? parsed.dropped.length === 0
      ? t('raw.none')
      : t('raw.dropped', { keys: parsed.dropped.join(', ') })
    : parsed.reason;
  return (
    <details>
      <summary>
        <Text size="1" color="gray">
          {t('raw.show')}
        </Text>
      </summary>
      <Text as="p" size="1" color="gray" my="1">
        {said}
      </Text>
      <CodeBlock code={indented(text)} language="json" collapsible onNotice={onNotice} />
    </details>
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Invalid JSON is shown as it was received: it is what a superuser looks for here.
    return text;
  }
}
