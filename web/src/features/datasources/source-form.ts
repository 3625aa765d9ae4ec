import * as z from 'zod/mini';
import { connectorDescriptionLimit, connectorNameLimit } from '@/lib/connector-form';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { requiredText } from '@/lib/rules';
import type { DataSource } from '@/lib/wire';
import { connectors as t } from '@/messages/connectors';

/** The rules for the description of a connector. */
export const sourceSchema = () =>
  z.object({
    name: requiredText(t('rule.name'), connectorNameLimit),
    description: requiredText(t('rule.description'), connectorDescriptionLimit),
    projectLabels: z.array(z.number()),
    /** One for each table, in their order. */
    dictionaries: z.array(z.string()),
  });

export type SourceValues = z.infer<ReturnType<typeof sourceSchema>>;

/** The form values of a connector. */
export function sourceValues(source: DeepReadonly<DataSource>): SourceValues {
  return {
    name: source.name,
    description: source.description,
    projectLabels: source.projectLabels.map((label) => label.id),
    dictionaries: source.dataResourceSet.map(({ details }) => details),
  };
}

/** The request for a form. `version` is that of the connector that was edited; each dictionary has its own call. */
export function sourceRequest({ dictionaries: _, ...values }: SourceValues, version: number) {
  return { ...values, version };
}
