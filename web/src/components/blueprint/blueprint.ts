import type { ProjectSummary } from '@/components/project/project-tag';

/** The fields of a blueprint in a list. */
export interface BlueprintSummary {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly owner: { readonly fullName: string; readonly picture?: string } | null;
  readonly isLibrary: boolean;
  readonly isFavorite: boolean;
  readonly inputs: readonly { readonly name: string; readonly hint: string }[];
  readonly steps: readonly { readonly id: number; readonly name: string }[];
  readonly dataSources: readonly number[];
  readonly missingDataSources: number;
  readonly projectLabels: readonly ProjectSummary[];
  readonly updatedAt: string;
  readonly abilities: { readonly start: boolean };
}
