import { Button } from '@radix-ui/themes';

interface ShowMoreProps {
  /** `null` where there is nothing more. */
  more: (() => void) | null;
  /** The distance to what stands above. */
  gap: '3' | '4';
}

/** Shows more of a list. */
export function ShowMore({ more, gap }: ShowMoreProps) {
  if (more === null) return null;
  return (
    <Button mt={gap} variant="soft" color="gray" onClick={more}>
      Show more
    </Button>
  );
}
