import type * as z from 'zod/mini';

const maxListed = 50;

interface SchemaInside {
  type: string;
  shape?: Readonly<Record<string, z.ZodMiniType>>;
  element?: z.ZodMiniType;
  innerType?: z.ZodMiniType;
  in?: z.ZodMiniType;
  options?: readonly z.ZodMiniType[];
}

/** Paths of the keys in the input that the schema does not know, for the debug view. Looks into no data points. */
export function droppedKeys(input: unknown, schema: z.ZodMiniType): string[] {
  const found: string[] = [];
  walk(input, schema, '', found);
  return found;
}

function walk(input: unknown, schema: z.ZodMiniType, path: string, found: string[]): void {
  if (found.length >= maxListed || typeof input !== 'object' || input === null) return;
  const options = branches(schema);
  if (Array.isArray(input)) {
    const element = options.map((option) => inside(option).element).find((found) => found !== undefined);
    // Points are many and uniform; listing their extra keys tells nothing.
    if (element === undefined || path.endsWith('data')) return;
    input.forEach((item, index) => {
      walk(item, element, `${path}[${index}]`, found);
    });
    return;
  }
  const shape = options.map((option) => inside(option).shape).find((found) => found !== undefined);
  if (shape === undefined) return;
  for (const key of Object.keys(input)) {
    const place = path === '' ? key : `${path}.${key}`;
    const known = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (known === undefined) found.push(place);
    else walk((input as Record<string, unknown>)[key], known, place, found);
  }
}

/** A schema without its wrappers (optional, catch, transform), one per branch of a union. */
function branches(schema: z.ZodMiniType): z.ZodMiniType[] {
  const { innerType, in: source, options } = inside(schema);
  if (innerType !== undefined) return branches(innerType);
  if (source !== undefined) return branches(source);
  if (options !== undefined) return options.flatMap(branches);
  return [schema];
}

function inside(schema: z.ZodMiniType): SchemaInside {
  return schema.def;
}
