import { Flex, Heading, Text } from '@radix-ui/themes';
import { MessagesSquare } from 'lucide-react';
import { transcript as t } from '@/messages/transcript';

interface TranscriptEmptyProps {
  /** Default "Ask a question of your data". */
  title?: string | undefined;
  /** Hints below it. */
  hints?: readonly string[] | undefined;
}

/** A conversation before its first message. */
export function TranscriptEmpty({
  title = t('empty.title'),
  hints = [t('empty.connectors'), t('empty.share')],
}: TranscriptEmptyProps) {
  return (
    <Flex direction="column" align="center" justify="center" gap="2" height="100%" p="5">
      <Text color="gray">
        <MessagesSquare size={28} strokeWidth={1.5} aria-hidden />
      </Text>
      <Heading as="h2" size="4" weight="medium" align="center">
        {title}
      </Heading>
      {hints.map((hint) => (
        <Text key={hint} as="p" size="2" color="gray" align="center">
          {hint}
        </Text>
      ))}
    </Flex>
  );
}
