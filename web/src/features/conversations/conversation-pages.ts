/** The list of conversations, one of them, and what stands beside the list alone: they are opened together, as one file. */
export { Component as Layout } from './conversations-layout';
export { Component as Index } from './conversations-index';
export { Component as Page } from './conversation-page';
