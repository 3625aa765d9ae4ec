import type { DeepReadonly } from '@/lib/deep-readonly';
import type { Correction, Meaning, MeaningTable } from '@/lib/wire';

/** What the parts of the section share. */
export interface About {
  sourceId: number;
  meaning: DeepReadonly<Meaning>;
  table: DeepReadonly<MeaningTable>;
  editable: boolean;
  saving: boolean;
}

/** The standing corrections of a part that hold for the present file. */
export function saidOf(
  { meaning, table }: About,
  column: string,
  isOf: (correction: DeepReadonly<Correction>) => boolean = ({ field }) => field !== 'link',
): readonly DeepReadonly<Correction>[] {
  return meaning.corrections.filter(
    (said) => !said.rests && said.table === table.table && said.column === column && isOf(said),
  );
}
