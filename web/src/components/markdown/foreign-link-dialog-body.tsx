import { AlertDialog, Button, Code, Flex, Text } from '@radix-ui/themes';
import { useReturnFocus } from '@/lib/use-return-focus';
import { transcript as t } from '@/messages/transcript';
import type { ForeignLink } from './links';

/** The props of the dialog. */
export interface ForeignLinkDialogProps {
  /** The link to ask about; null closes the dialog. */
  link: ForeignLink | null;
  onClose: () => void;
}

/** Asks before an answer's link leaves the app, and shows where it leads. */
export function ForeignLinkDialogBody({ link, onClose }: ForeignLinkDialogProps) {
  const returnFocus = useReturnFocus();
  return (
    <AlertDialog.Root
      open={link !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <AlertDialog.Content maxWidth="460px" size="2" {...returnFocus}>
        <AlertDialog.Title size="4">{t('link.leave.title')}</AlertDialog.Title>
        <AlertDialog.Description size="2">
          {t('link.leave.text', { host: link?.host ?? '' })}
        </AlertDialog.Description>
        <Text as="p" size="1" my="3">
          <Code variant="soft" color="gray" style={{ wordBreak: 'break-all' }}>
            {link?.url.slice(0, 500)}
          </Code>
        </Text>
        <Flex gap="3" justify="end" mt="4">
          <AlertDialog.Cancel>
            <Button variant="soft" color="gray">
              {t('link.leave.stay')}
            </Button>
          </AlertDialog.Cancel>
          <AlertDialog.Action>
            <Button
              onClick={() => {
                // noopener prevents the other page from accessing this window, noreferrer from learning the
                // conversation's address.
                if (link !== null) window.open(link.url, '_blank', 'noopener,noreferrer');
              }}
            >
              {t('link.leave.confirm', { host: link?.host ?? '' })}
            </Button>
          </AlertDialog.Action>
        </Flex>
      </AlertDialog.Content>
    </AlertDialog.Root>
  );
}
