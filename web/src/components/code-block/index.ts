export { CodeBlock, type CodeBlockProps } from './code-block';
export { copyText } from './copy-text';
export { CopyButton, type CopyButtonProps } from './copy-button';
export { MarkedText, type MarkedTextProps } from './marked-text';
export type { Notice, NoticeHandler } from './notice';
export { hasControls, splitControls, type TextSegment } from './visible-controls';
