import type { Shape } from '@/lib/shape';

const maxListed = 50;

/** Paths of the keys in the input that the schema does not know, for the debug view. Looks into no data points. */
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
    // Points are many and uniform; listing their extra keys tells nothing.
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

/** One shape per branch of a choice. */
function branches(schema: Shape<unknown>): Shape<unknown>[] {
  return schema.options === undefined ? [schema] : schema.options.flatMap(branches);
}
