export { DisplayObjectView, type DisplayContent, type DisplayObjectViewProps } from './display-object-view';
export type { MessageRole, MessageStatus, TranscriptDisplayObject, TranscriptMessage } from './message';
export { MessageCard, type MessageCardProps } from './message-card';
export { Transcript, type TranscriptProps } from './transcript';
export { TranscriptEmpty, type TranscriptEmptyProps } from './transcript-empty';
