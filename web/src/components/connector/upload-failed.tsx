import { Callout } from '@radix-ui/themes';
import { TriangleAlert } from 'lucide-react';

/** Why a file could not be sent. */
export function UploadFailed({ message }: { message: string }) {
  return (
    <Callout.Root color="red" role="alert" size="1">
      <Callout.Icon>
        <TriangleAlert size={16} />
      </Callout.Icon>
      <Callout.Text>{message}</Callout.Text>
    </Callout.Root>
  );
}
