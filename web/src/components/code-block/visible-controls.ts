/** A run of plain text, or one character that would affect the reader's screen without being visible. */
export type TextSegment = { kind: 'text'; text: string } | { kind: 'control'; code: string; name: string };

// Names of the characters that are most often used to deceive people; the others are shown by their number only.
const names = new Map<number, string>([
  [0x00, 'null'],
  [0x07, 'bell'],
  [0x08, 'backspace'],
  [0x0d, 'carriage return'],
  [0x1b, 'escape'],
  [0x7f, 'delete'],
  [0x9b, 'control sequence introducer'],
  [0x061c, 'Arabic letter mark'],
  [0x200b, 'zero width space'],
  [0x200c, 'zero width non-joiner'],
  [0x200d, 'zero width joiner'],
  [0x200e, 'left-to-right mark'],
  [0x200f, 'right-to-left mark'],
  [0x2028, 'line separator'],
  [0x2029, 'paragraph separator'],
  [0x202a, 'left-to-right embedding'],
  [0x202b, 'right-to-left embedding'],
  [0x202c, 'pop directional formatting'],
  [0x202d, 'left-to-right override'],
  [0x202e, 'right-to-left override'],
  [0x2060, 'word joiner'],
  [0x2066, 'left-to-right isolate'],
  [0x2067, 'right-to-left isolate'],
  [0x2068, 'first strong isolate'],
  [0x2069, 'pop directional isolate'],
  [0xfeff, 'byte order mark'],
]);

// C0 but tab and newline, C1, the bidi and zero-width characters, separators, and the tag block
// (invisible letters that carry hidden instructions).
const controlSource =
  '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff]|[\\u{e0000}-\\u{e007f}]';

const joiner = '\u200d';

/** True when the text holds at least one character that {@link splitControls} would mark. */
export function hasControls(text: string): boolean {
  return new RegExp(controlSource, 'u').test(text);
}

/** Splits text so that invisible control characters can be shown by name instead of taking effect. */
export function splitControls(text: string): TextSegment[] {
  // Windows line ends are ordinary; only a single carriage return can hide a line.
  const source = text.replaceAll('\r\n', '\n');
  const segments: TextSegment[] = [];
  let from = 0;
  for (const match of source.matchAll(new RegExp(controlSource, 'gu'))) {
    if (match[0] === joiner && joinsEmoji(source, match.index)) continue;
    if (match.index > from) segments.push({ kind: 'text', text: source.slice(from, match.index) });
    segments.push(controlSegment(match[0]));
    from = match.index + match[0].length;
  }
  if (from < source.length) segments.push({ kind: 'text', text: source.slice(from) });
  return segments;
}

function controlSegment(character: string): TextSegment {
  const point = character.codePointAt(0) ?? 0;
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  return { kind: 'control', code, name: names.get(point) ?? 'control character' };
}

// Emoji such as families and flags contain joiners; marking those would only make emoji unreadable.
function joinsEmoji(text: string, index: number): boolean {
  return /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]$/u.test(
    text.slice(Math.max(0, index - 2), index),
  );
}
