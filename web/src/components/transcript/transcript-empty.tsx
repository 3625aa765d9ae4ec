import { Flex, Heading, Text } from '@radix-ui/themes';
import { MessagesSquare } from 'lucide-react';

/** Props of {@link TranscriptEmpty}. */
export interface TranscriptEmptyProps {
  /** Default "Ask a question of your data". */
  title?: string | undefined;
  /** Hints below it. */
  hints?: readonly string[] | undefined;
}

const defaultHints = [
  'The Connectors tab shows what this conversation may read.',
  'Share the conversation when someone else should see the answers.',
];

/** A conversation before its first message. */
export function TranscriptEmpty({
  title = 'Ask a question of your data',
  hints = defaultHints,
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
