/**
 * The list of conversations, one of them, and the page next to the list if none is open: they are loaded together,
 * as one file.
 */
export { Component as Layout } from './conversations-layout';
export { Component as Index } from './conversations-index';
export { Component as Page } from './conversation-page';
