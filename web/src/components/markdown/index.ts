export { ForeignLinkDialog, type ForeignLinkDialogProps } from './foreign-link-dialog';
export type { ForeignLink } from './links';
export { Markdown, preloadMarkdown, type MarkdownProps } from './markdown';
