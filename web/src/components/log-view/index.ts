export { LogView, type LogViewProps } from './log-view';
export { stripAnsi } from './strip-ansi';
