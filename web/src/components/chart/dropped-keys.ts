import type { Shape } from '@/lib/shape';

const maxListed = 50;

/** Paths of the keys in the input that the schema does not know, for the debug view. Data points are skipped. */
export function droppedKeys(input: unknown, schema: Shape<unknown>): string[] {
  const found: string[] = [];
  walk(input, schema, '', found);
  return found;
}

function walk(input: unknown, schema: Shape<unknown>, path: string, found: string[]): void {
  if (found.length >= maxListed || typeof input !== 'object' || input === null) return;
  const options = branches(schema);
  if (Array.isArray(input)) {
    const element = options.find((option) => option.element !== undefined)?.element;
    // There are many uniform points; a list of their extra keys would not help.
    if (element === undefined || path.endsWith('data')) return;
    input.forEach((item, index) => {
      walk(item, element, `${path}[${index}]`, found);
    });
    return;
  }
  const shape = options.find((option) => option.keys !== undefined)?.keys;
  if (shape === undefined) return;
  for (const key of Object.keys(input)) {
    const place = path === '' ? key : `${path}.${key}`;
    const known = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (known === undefined) found.push(place);
    else walk((input as Record<string, unknown>)[key], known, place, found);
  }
}

/** One schema per branch of a union. */
function branches(schema: Shape<unknown>): Shape<unknown>[] {
  return schema.options === undefined ? [schema] : schema.options.flatMap(branches);
}
