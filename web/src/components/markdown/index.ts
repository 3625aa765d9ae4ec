export { ForeignLinkDialog, type ForeignLinkDialogProps } from './foreign-link-dialog';
export type { ForeignLink } from './links';
export { Markdown, type MarkdownProps } from './markdown';
