import { useRef, useState } from 'react';
import { blueprintValues, type BlueprintValues } from '@/lib/blueprint-form';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { SubmitFailure } from '@/lib/submit-failure';
import type { Blueprint } from '@/lib/wire';
import { blueprintEditor as t } from '@/messages/blueprint-editor';
import { latestBlueprint, saveBlueprint } from '@/stores/blueprints-store/save';
import type { ConflictChoice } from './conflict-dialog';
import type { BlueprintForm } from './editor-form';

interface BlueprintSaving {
  /** Saves the form; if another person has saved first, the user decides what to do. */
  save: (values: BlueprintValues) => Promise<SubmitFailure | null>;
  /** The blueprint as it was saved last; `null` if it was not saved, or if the form was loaded again instead. */
  saved: () => Blueprint | null;
  /** Resolves a conflict with the user's choice; `null` while there is none. */
  onChoose: ((choice: ConflictChoice) => void) | null;
}

/** Saves the edited values, based on the version that the form was filled from. */
export function useBlueprintSaving(
  form: BlueprintForm,
  blueprint: DeepReadonly<Blueprint> | null,
): BlueprintSaving {
  const base = useRef(blueprint);
  const saved = useRef<Blueprint | null>(null);
  const [onChoose, setOnChoose] = useState<((choice: ConflictChoice) => void) | null>(null);

  async function ask(): Promise<ConflictChoice> {
    const choice = await new Promise<ConflictChoice>((resolve) => setOnChoose(() => resolve));
    setOnChoose(null);
    return choice;
  }

  async function save(values: BlueprintValues): Promise<SubmitFailure | null> {
    saved.current = null;
    for (;;) {
      const outcome = await saveBlueprint(values, base.current);
      if ('blueprint' in outcome) {
        base.current = saved.current = outcome.blueprint;
        return null;
      }
      if (!outcome.isConflict || base.current === null) return outcome.failure;
      const unsaved = { message: `${t('conflict.title')} ${t('conflict.text')}`, fields: [] };
      const choice = await ask();
      if (choice === 'keep') return unsaved;
      const latest = await latestBlueprint(base.current.id);
      if (latest === null) return unsaved;
      base.current = latest;
      if (choice === 'load') {
        form.reset(blueprintValues(latest));
        return null;
      }
    }
  }

  return { save, saved: () => saved.current, onChoose };
}
