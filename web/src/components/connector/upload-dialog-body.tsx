import { Dialog } from '@radix-ui/themes';
import { useReturnFocus } from '@/lib/use-return-focus';
import { connectors as t } from '@/messages/connectors';
import { UploadForm, type UploadFormProps } from './upload-form';

/** The props of the dialog. */
export interface UploadDialogProps extends UploadFormProps {
  open: boolean;
}

/** Makes a connector from a file: choose it, see what it is, name it, send it. */
export function UploadDialogBody(props: UploadDialogProps) {
  const returnFocus = useReturnFocus();
  return (
    <Dialog.Root open={props.open} onOpenChange={props.onOpenChange}>
      {/* A press outside of the dialog is mostly unintended, and would lose what has been typed. */}
      <Dialog.Content
        maxWidth="560px"
        {...returnFocus}
        onPointerDownOutside={(event) => event.preventDefault()}
      >
        <Dialog.Title>{t('add')}</Dialog.Title>
        <Dialog.Description size="2" color="gray" mb="4">
          {t('upload.text')}
        </Dialog.Description>
        <UploadForm {...props} />
      </Dialog.Content>
    </Dialog.Root>
  );
}
