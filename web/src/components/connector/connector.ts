import type { ProjectSummary } from '@/components/project/project-tag';

/** The fields of a connector in lists. */
export interface ConnectorSummary {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly type: readonly string[];
  readonly scope: string;
  readonly owner: { readonly fullName: string; readonly picture?: string } | null;
  readonly updatedAt: string;
  /** When a conversation of this person last used it; `null` for never. */
  readonly lastUsedAt: string | null;
  readonly projectLabels: readonly ProjectSummary[];
  /** Its tables; lists say how many rows each has. */
  readonly dataResourceSet: readonly { readonly rows: number }[];
  /** A warning to show before it is asked, for example that this server cannot read its file; empty for none. */
  readonly notice?: string;
}
