import { archiveBlueprint, copyBlueprint, deleteBlueprint, setBlueprintFavorite } from '@/api/blueprints';
import { AttemptKey } from '@/lib/attempt-key';
import { notify } from '@/lib/notify';
import { withServerMessage } from '@/lib/server-message';
import { blueprints as t } from '@/messages/blueprints';
import { blueprints, blueprintsChanged } from './blueprints';

const copying = new AttemptKey();

/** Toggles the favorite flag at once, and reverts it if the server refuses. */
export async function toggleBlueprintFavorite(id: number, isFavorite: boolean): Promise<void> {
  blueprints.patch(id, { isFavorite });
  try {
    await setBlueprintFavorite(id, isFavorite);
  } catch {
    blueprints.patch(id, { isFavorite: !isFavorite });
    notify.error(t('favorite.failed'));
  }
}

/** Moves a blueprint to the archive, or restores it. Returns whether that was done. */
export async function setBlueprintArchived(id: number, isArchived: boolean): Promise<boolean> {
  try {
    await archiveBlueprint(id, isArchived);
    blueprints.patch(id, { isArchived });
    blueprintsChanged();
    // The allowed actions depend on it.
    void blueprints.fetch(id);
    notify.success(t(isArchived ? 'archive.done' : 'unarchive.done'));
    return true;
  } catch (error) {
    notify.error(withServerMessage(error, t(isArchived ? 'archive.failed' : 'unarchive.failed')));
    return false;
  }
}

/** Deletes a blueprint for good. Returns whether that was done. */
export async function removeBlueprint(id: number): Promise<boolean> {
  try {
    await deleteBlueprint(id);
    blueprints.forget(id);
    blueprintsChanged();
    notify.success(t('delete.done'));
    return true;
  } catch (error) {
    notify.error(withServerMessage(error, t('delete.failed')));
    return false;
  }
}

/** Copies a blueprint under a name, and returns the id of the copy; `null` if that failed. */
export async function duplicateBlueprint(id: number, name: string): Promise<number | null> {
  try {
    const copy = await copyBlueprint(id, name, copying.of([id, name]));
    copying.done();
    blueprints.put(copy);
    blueprintsChanged();
    notify.success(t('duplicate.done'));
    return copy.id;
  } catch (error) {
    notify.error(withServerMessage(error, t('duplicate.failed')));
    return null;
  }
}
