import { readFileSync } from 'node:fs';

/** The part of a JSON schema that is needed here. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const contract = JSON.parse(readFileSync('../api/openapi.json', 'utf8')) as {
  components: { schemas: Record<string, Schema> };
};

function resolved(schema: Schema | undefined): Schema {
  if (schema?.$ref !== undefined) return named(schema.$ref.slice('#/components/schemas/'.length));
  const choices = (schema?.anyOf ?? schema?.oneOf)?.map(resolved);
  return choices?.find(({ properties }) => properties) ?? choices?.[0] ?? schema ?? {};
}

function named(name: string): Schema {
  const schema = contract.components.schemas[name];
  if (schema === undefined) throw new Error(`the contract has no ${name}`);
  return schema;
}

/** A value of a schema in which every text and every number is another one, so that no default equals it. */
function example(given: Schema, on: boolean, path: string, within: readonly Schema[] = []): unknown {
  const schema = resolved(given);
  if (within.includes(schema)) return null;
  if (schema.enum) return schema.enum.at(-1);
  const type = [schema.type ?? 'null'].flat()[0];
  if (type === 'string') return `text of ${path}`;
  if (type === 'boolean') return on;
  if (type === 'integer' || type === 'number')
    return 1 + Array.from(path).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9_973, 7);
  if (type === 'array') return schema.items ? [example(schema.items, on, path, [...within, schema])] : [];
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([key, property]) => [
      key,
      example(property, on, `${path}.${key}`, [...within, schema]),
    ]),
  );
}

interface RoundTrip<Entity> {
  /** The names of the schemas of the entity, and of the request that changes it. */
  readonly entity: string;
  readonly request: string;
  /** Values of fields that have rules which no example of a type follows. */
  readonly values?: Partial<Entity>;
  /** Fills the form, checks it as a submit does, and returns the request. */
  readonly send: (entity: Entity) => object;
  /** The path of a field that the request has under another name, and that name. */
  readonly as?: Readonly<Record<string, string>>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object is sent as its id. */
function sentAs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sentAs);
  return isObject(value) ? value.id : value;
}

/**
 * The paths of the fields that the entity and its request share, and that a form does not return as it was filled.
 * The fields are those of the contract: a field that is added to it is tried without being named in a test.
 */
export function lostInForm<Entity>({ entity, request, values, send, as = {} }: RoundTrip<Entity>): string[] {
  const lost = new Set<string>();
  for (const on of [true, false]) {
    const shown = { ...(example(named(entity), on, entity) as Entity), ...values };
    const sent: Readonly<Record<string, unknown>> = { ...send(shown) };

    const compare = (from: Schema, to: Schema, value: unknown, back: unknown, path: string): void => {
      const [a, b] = [resolved(from), resolved(to)];
      const byId = isObject(value) && typeof back === 'number';
      if (a.properties && b.properties && !byId) {
        for (const key of Object.keys(a.properties).filter((name) => b.properties?.[name] !== undefined)) {
          const at = path === '' ? key : `${path}.${key}`;
          const other = as[at];
          const inner = other === undefined ? (isObject(back) ? back[key] : undefined) : sent[other];
          compare(
            a.properties[key] ?? {},
            b.properties[key] ?? {},
            isObject(value) ? value[key] : undefined,
            inner,
            at,
          );
        }
      } else if (resolved(a.items).properties && resolved(b.items).properties && Array.isArray(value)) {
        if (!Array.isArray(back) || back.length !== value.length) lost.add(path);
        else
          value.forEach((one, place) => compare(a.items ?? {}, b.items ?? {}, one, back[place], `${path}[]`));
      } else if (JSON.stringify(sentAs(value)) !== JSON.stringify(sentAs(back))) lost.add(path);
    };
    compare(named(entity), named(request), shown, sent, '');
  }
  return [...lost].sort();
}
