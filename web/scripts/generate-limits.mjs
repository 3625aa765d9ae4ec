// Writes src/api/limits.gen.ts: the limits of the requests, as the server has them (x-limits in the contract). Each
// request has a separate constant, so that a page loads only those that it uses.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const { components, paths } = JSON.parse(readFileSync(join(root, '../api/openapi.json'), 'utf8'));
const operations = Object.values(paths).flatMap((path) => Object.values(path));

const limitsOf = ({ properties = {} }) =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      property['x-limits'] ? [[name, property['x-limits']]] : [],
    ),
  );

// The form of a secret has a file, so it has no schema with a name.
const forms = {
  SecretForm: operations
    .map((operation) => operation.requestBody?.content['multipart/form-data']?.schema)
    .find((form) => form?.properties?.file?.['x-limits'] !== undefined),
};

const constants = Object.entries({ ...components.schemas, ...forms })
  .map(([name, schema]) => [name, limitsOf(schema)])
  .filter(([, limits]) => Object.keys(limits).length > 0)
  .map(([name, limits]) => `export const limitsOf${name} = ${JSON.stringify(limits)} as const;\n`);

// Every list has the same limit of its search.
const searches = operations.flatMap(({ parameters = [] }) =>
  parameters.filter(({ name }) => name === 'search').map(({ schema }) => schema.maxLength),
);
if (new Set(searches).size !== 1) throw new Error(`searches have different limits: ${searches}`);
constants.push(`export const limitOfSearch = ${searches[0]};\n`);

writeFileSync(
  join(root, 'src/api/limits.gen.ts'),
  `// Written by scripts/generate-limits.mjs from api/openapi.json. DO NOT EDIT.\n${constants.join('')}`,
);
