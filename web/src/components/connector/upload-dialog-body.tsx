import { UploadForm, type UploadFormProps } from './upload-form';

/** The props of the dialog. */
export interface UploadDialogProps extends Omit<UploadFormProps, 'onClose'> {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Makes a connector from a file: choose it, see what it is, name it, send it. Each time it begins empty. */
export function UploadDialogBody({ open, onOpenChange, ...form }: UploadDialogProps) {
  return open && <UploadForm {...form} onClose={() => onOpenChange(false)} />;
}
