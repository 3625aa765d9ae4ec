// Writes src/api/blank.gen.ts: of each thing of the contract what it promises, each field empty, 0, false or null.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const { schemas } = JSON.parse(readFileSync(join(root, '../api/openapi.json'), 'utf8')).components;

function zero(schema, inside) {
  if (schema.$ref) return named(schema.$ref.slice('#/components/schemas/'.length), inside);
  if (schema.enum) return schema.enum[0];
  const types = [schema.type ?? 'null'].flat();
  if (types.includes('null')) return null;
  if (types[0] === 'string') return '';
  if (types[0] === 'boolean') return false;
  if (types[0] === 'array') return [];
  if (types[0] !== 'object') return 0;
  return Object.fromEntries(
    (schema.required ?? []).map((name) => [name, zero(schema.properties[name], inside)]),
  );
}

// A thing that holds itself has null there.
const named = (name, inside = []) => (inside.includes(name) ? null : zero(schemas[name], [...inside, name]));

const text = Object.keys(schemas)
  .map((name) => `  ${name}: ${JSON.stringify(named(name))},\n`)
  .join('');
writeFileSync(
  join(root, 'src/api/blank.gen.ts'),
  `// Written by scripts/generate-blank.mjs from api/openapi.json. DO NOT EDIT.\nexport const blanks = {\n${text}};\n`,
);
