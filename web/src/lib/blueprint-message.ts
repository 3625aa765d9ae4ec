/*
 * Input parameters and the placeholders that name them, as the server reads them (domain/blueprint_input.go).
 */

/** One input parameter. */
export interface BlueprintInput {
  readonly name: string;
  /** The text after a colon; empty for none. */
  readonly hint: string;
}

/** A piece of a message: plain text, or a placeholder for an input's value. */
export interface MessagePart {
  readonly text: string;
  /** The name of the input whose value is inserted here. */
  readonly input?: string;
}

/** The normal form of a name for comparisons: Start date, start_date and startDate are equal. */
function folded(name: string): string {
  return name.replaceAll(/[^\p{L}\p{Nd}]/gu, '').toLowerCase();
}

/** The parameters of a text with one per line, in their order. Names that are equal in the comparison count once. */
export function parseInputs(lines: string): BlueprintInput[] {
  const inputs = new Map<string, BlueprintInput>();
  for (const line of lines.split('\n')) {
    const colon = line.indexOf(':');
    const name = (colon === -1 ? line : line.slice(0, colon)).trim();
    const key = folded(name);
    if (key === '' || inputs.has(key)) continue;
    inputs.set(key, { name, hint: colon === -1 ? '' : line.slice(colon + 1).trim() });
  }
  return [...inputs.values()];
}

/** The placeholder in a text for the value of an input. */
export function placeholderOf(input: string): string {
  return `{{${input}}}`;
}

const placeholder = /\{\{([^{}\n]{1,200})\}\}/gu;

/** Splits a text at the placeholders of known inputs. Other placeholders are text. */
export function messageParts(text: string, inputs: readonly BlueprintInput[]): MessagePart[] {
  const names = new Map(inputs.map(({ name }) => [folded(name), name]));
  const parts: MessagePart[] = [];
  let from = 0;
  for (const found of text.matchAll(placeholder)) {
    const input = names.get(folded(found[1] ?? ''));
    if (input === undefined) continue;
    if (found.index > from) parts.push({ text: text.slice(from, found.index) });
    parts.push({ text: found[0], input });
    from = found.index + found[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

/** A text with the values of its inputs; an input without a value is shown by its name. */
export function withInputs(
  text: string,
  inputs: readonly BlueprintInput[],
  values: Readonly<Record<string, string>> = {},
): string {
  return messageParts(text, inputs)
    .map((part) => (part.input === undefined ? part.text : (values[part.input] ?? '').trim() || part.input))
    .join('');
}

/**
 * The first message of a conversation as it will be sent, with a place for each value. Inputs that the message does
 * not mention are added below it, one per line, as the server does.
 */
export function sentMessage(message: string, inputs: readonly BlueprintInput[]): MessagePart[] {
  const parts = messageParts(message, inputs);
  const used = new Set(parts.map((part) => part.input));
  const rest = inputs.filter(({ name }) => !used.has(name));
  if (rest.length === 0) return parts;
  const last = parts.at(-1);
  if (last && last.input === undefined) parts[parts.length - 1] = { text: last.text.replace(/\n+$/u, '') };
  return [
    ...parts,
    { text: '\n' },
    ...rest.flatMap(({ name }) => [{ text: `\n${name}: ` }, { text: placeholderOf(name), input: name }]),
  ];
}
