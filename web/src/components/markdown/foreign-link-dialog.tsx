import { AlertDialog, Button, Code, Flex, Text } from '@radix-ui/themes';

import { useReturnFocus } from '@/lib/use-return-focus';

import type { ForeignLink } from './links';

/** Props of {@link ForeignLinkDialog}. */
export interface ForeignLinkDialogProps {
  /** The link to ask about; null closes the dialog. */
  link: ForeignLink | null;
  onClose: () => void;
}

/** Asks before an answer's link leaves the app, and shows where it leads. */
export function ForeignLinkDialog({ link, onClose }: ForeignLinkDialogProps) {
  const returnFocus = useReturnFocus();
  return (
    <AlertDialog.Root
      open={link !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <AlertDialog.Content maxWidth="460px" size="2" {...returnFocus}>
        <AlertDialog.Title size="4">Leave Parley?</AlertDialog.Title>
        <AlertDialog.Description size="2">
          This link was written by an analyst and leads to <strong>{link?.host}</strong>.
        </AlertDialog.Description>
        <Text as="p" size="1" my="3">
          <Code variant="soft" color="gray" style={{ wordBreak: 'break-all' }}>
            {link?.url.slice(0, 500)}
          </Code>
        </Text>
        <Flex gap="3" justify="end" mt="4">
          <AlertDialog.Cancel>
            <Button variant="soft" color="gray">
              Stay here
            </Button>
          </AlertDialog.Cancel>
          <AlertDialog.Action>
            <Button
              onClick={() => {
                // noopener keeps the other page from reaching back, noreferrer from learning the conversation's address.
                if (link !== null) window.open(link.url, '_blank', 'noopener,noreferrer');
              }}
            >
              Open {link?.host}
            </Button>
          </AlertDialog.Action>
        </Flex>
      </AlertDialog.Content>
    </AlertDialog.Root>
  );
}
