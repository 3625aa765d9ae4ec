import { createBlueprint, getBlueprint, updateBlueprint, writeInitialMessage } from '@/api/blueprints';
import { ApiError } from '@/api/errors';
import { AttemptKey } from '@/lib/attempt-key';
import { blueprintRequest, type BlueprintValues } from '@/lib/blueprint-form';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { notify } from '@/lib/notify';
import { withServerMessage } from '@/lib/server-message';
import { submitFailure, type SubmitFailure } from '@/lib/submit-failure';
import type { Blueprint } from '@/lib/wire';
import { blueprints as t } from '@/messages/blueprints';
import { blueprints, blueprintsChanged } from './blueprints';

const creating = new AttemptKey();

/** The progress message of a save, which the result replaces. */
const savingId = 'blueprint-saving';

/** The result of a save: the blueprint as it is now, or the problem. */
export type BlueprintSave =
  { readonly blueprint: Blueprint } | { readonly failure: SubmitFailure; readonly isConflict: boolean };

/** Makes a blueprint, or changes the one that the form was filled from. */
export async function saveBlueprint(
  values: BlueprintValues,
  base: DeepReadonly<Blueprint> | null,
): Promise<BlueprintSave> {
  const request = blueprintRequest(values, base);
  notify.progress(savingId, t(base ? 'save.updating' : 'save.associating'));
  try {
    const blueprint = base
      ? await updateBlueprint(base.id, request)
      : await createBlueprint(request, creating.of(request));
    if (!base) creating.done();
    blueprints.put(blueprint);
    blueprintsChanged();
    notify.resolved(savingId, t(base ? 'save.updated' : 'save.created'));
    return { blueprint };
  } catch (error) {
    notify.dismiss(savingId);
    const isConflict = error instanceof ApiError && error.status === 409;
    return { failure: submitFailure(error, t('save.failed')), isConflict };
  }
}

/** Fetches the current state of a blueprint; `null` if it was deleted or cannot be fetched. */
export async function latestBlueprint(id: number): Promise<Blueprint | null> {
  try {
    const blueprint = await getBlueprint(id);
    blueprints.put(blueprint);
    return blueprint;
  } catch (error) {
    notify.error(withServerMessage(error, t('fetch.failed')));
    return null;
  }
}

/** Lets the server generate the first message from the current form values; `null` if it cannot. */
export async function writtenMessage(values: BlueprintValues, signal?: AbortSignal): Promise<string | null> {
  try {
    return await writeInitialMessage(blueprintRequest(values, null), signal);
  } catch {
    // The caller reports the failure if the person asked for the message; a preview only stays empty.
    return null;
  }
}
