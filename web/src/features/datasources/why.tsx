import type { DeepReadonly } from '@/lib/deep-readonly';
import type { MeaningReason } from '@/lib/wire';
import { meaning as t } from '@/messages/meaning';

/**
 * A reason with where it comes from. The server writes its evidence in English, whatever the language of the page, and
 * screen readers are told so.
 */
export function Why({ reason: { state, evidence } }: { reason: DeepReadonly<MeaningReason> }) {
  if (state === '') return null;
  if (evidence === '') return t(`state.${state}`);
  return (
    <>
      {t('reason', { state: t(`state.${state}`), evidence: '' })}
      <span lang="en">{evidence}</span>
    </>
  );
}
