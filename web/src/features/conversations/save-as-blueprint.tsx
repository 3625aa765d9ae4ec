import { Button } from '@radix-ui/themes';
import { ListChecks } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { conversation as t } from '@/messages/conversation';
import styles from './save-as-blueprint.module.css';
import type { SaveAsBlueprint } from './use-save-as-blueprint';

const GeneratingBlueprint = lazy(async () => ({
  default: (await import('./generating-blueprint')).GeneratingBlueprint,
}));

interface SaveAsBlueprintButtonProps {
  saving: SaveAsBlueprint;
  /** On a phone it is only in the menu. */
  narrow: boolean;
}

/** Saves the questions of a conversation as a blueprint. */
export function SaveAsBlueprintButton({ saving, narrow }: SaveAsBlueprintButtonProps) {
  const { canSave, isSaving, save, cancel } = saving;
  return (
    <>
      {!narrow && (
        <Button
          variant="soft"
          color="gray"
          mr="2"
          aria-label={t('blueprint.saveAs')}
          title={t('blueprint.saveAs')}
          disabled={!canSave}
          onClick={save}
        >
          <ListChecks size={16} />
          <span className={styles.text}>{t('blueprint.saveAs')}</span>
        </Button>
      )}
      {isSaving && (
        <Suspense>
          <GeneratingBlueprint onCancel={cancel} />
        </Suspense>
      )}
    </>
  );
}
