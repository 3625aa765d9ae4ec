import { Button, Callout } from '@radix-ui/themes';
import { TriangleAlert } from 'lucide-react';
import { common } from '@/messages/common';

interface UploadFailedProps {
  message: string;
  /** Reads the file again; left out if pressing Add again is the retry. */
  onRetry?: (() => void) | undefined;
}

/** Why a file could not be read or sent. */
export function UploadFailed({ message, onRetry }: UploadFailedProps) {
  return (
    <Callout.Root color="red" role="alert" size="1">
      <Callout.Icon>
        <TriangleAlert size={16} />
      </Callout.Icon>
      <Callout.Text>
        {message}{' '}
        {onRetry && (
          <Button type="button" size="1" variant="soft" color="red" onClick={onRetry}>
            {common('retry')}
          </Button>
        )}
      </Callout.Text>
    </Callout.Root>
  );
}
