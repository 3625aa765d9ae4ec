import { IconButton } from '@radix-ui/themes';
import type { ComponentProps } from 'react';
import { Tooltip } from '@/components/tooltip/tooltip';

interface RoundButtonProps extends ComponentProps<typeof IconButton> {
  /** Its accessible name, which its tooltip shows. */
  label: string;
}

/** A button at the end of a box for questions: Send, Stop. */
export function RoundButton({ label, ...button }: RoundButtonProps) {
  return (
    <Tooltip content={label}>
      <IconButton radius="full" aria-label={label} {...button} />
    </Tooltip>
  );
}
