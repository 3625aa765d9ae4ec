import { blueprintRules as t } from '@/messages/blueprint-rules';

/** The segments of the blueprint list, in their order. */
export const blueprintScopes = ['all', 'favorite', 'organization', 'owned', 'shared', 'recent'] as const;

export type BlueprintScope = (typeof blueprintScopes)[number];

/** Which blueprints a list holds. */
export interface BlueprintQuery {
  library: 'all' | 'library' | 'exclude';
  scope: BlueprintScope;
  /** Only those of this category of the library. */
  category: number | null;
  search: string;
}

/** A query that holds everything, with what a list wants different. */
export function blueprintQuery(changes: Partial<BlueprintQuery> = {}): BlueprintQuery {
  return { library: 'all', scope: 'all', category: null, search: '', ...changes };
}

/** A text as a card shows it: where the value of an input will stand, its name in brackets. */
export function withInputNames(text: string): string {
  return text.replaceAll(/\{\{\s*([^{}\n]+?)\s*\}\}/gu, '[$1]');
}

interface Input {
  readonly name: string;
}

/** What a start form says of the inputs that are still empty, by their names. */
export function missingInputs(
  inputs: readonly Input[],
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const missing = inputs.filter(({ name }) => (values[name] ?? '').trim() === '');
  return Object.fromEntries(missing.map(({ name }) => [name, t('input.missing', { name })]));
}
