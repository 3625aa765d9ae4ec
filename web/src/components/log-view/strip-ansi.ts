// Escape sequences that terminals obey: CSI (colours, cursor), OSC (titles, links; ended by BEL or ST),
// the other string sequences, and two-character escapes. Both the 7-bit and the 8-bit forms.
const sequences = [
  '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]',
  '(?:\\u001b\\]|\\u009d)[^\\u0007\\u001b\\u009c]*(?:\\u0007|\\u001b\\\\|\\u009c)?',
  '(?:\\u001b[PX^_]|[\\u0090\\u0098\\u009e\\u009f])[^\\u001b\\u009c]*(?:\\u001b\\\\|\\u009c)?',
  '\\u001b[ -/]*[0-~]',
].join('|');

/** Takes terminal escape sequences out of log text. Single control characters are kept, to be shown by name. */
export function stripAnsi(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(new RegExp(sequences, 'g'), '');
}
