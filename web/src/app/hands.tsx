import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { ConfirmDialog } from '@/components/confirm-dialog/confirm-dialog';
import { hotkeysNow, setSingleKeys, singleKeysOn, type Hotkey } from '@/lib/hotkeys';
import { paths } from '@/lib/paths';
import { useHotkey } from '@/lib/use-hotkey';
import { keys } from '@/messages/keys';
import { palette as t } from '@/messages/palette';
import { patchSession } from '@/stores/conversation-session';
import { archiveConversation } from '@/stores/conversations-store';
import { GoToKeys } from './go-to-keys';
import { EarlyKeys } from './palette/early-keys';

const KeysDialog = lazy(async () => ({
  default: (await import('@/components/keys/keys-dialog')).KeysDialog,
}));
const Palette = lazy(async () => ({ default: (await import('./palette/palette')).Palette }));

interface HandsProps {
  /** The command palette is open. */
  finding: boolean;
  onFinding: (open: boolean) => void;
}

/** The keyboard shortcuts of every page, and their dialogs. */
export function Hands({ finding, onFinding }: HandsProps) {
  const navigate = useNavigate();
  const [shown, setShown] = useState<readonly Hotkey[] | null>(null);
  const [singleKeys, setSingle] = useState(singleKeysOn);
  const [archiving, setArchiving] = useState<string | null>(null);
  const [early, setEarly] = useState('');
  const showKeys = (): void => setShown(hotkeysNow());

  useHotkey({
    keys: 'mod+k',
    label: keys('palette'),
    group: 'anywhere',
    inFields: true,
    // Above another dialog it would be unclear which of the two the keys are for.
    inDialogs: finding,
    run: () => {
      setEarly('');
      onFinding(!finding);
    },
  });
  useHotkey({ keys: '?', label: keys('open'), group: 'anywhere', run: showKeys });
  useHotkey({
    keys: 'c',
    label: keys('new'),
    group: 'anywhere',
    run: () => void navigate(paths.newConversation()),
  });
  // Shortcuts of single pages that people look for everywhere: they are always listed, and handled by the page that
  // has them.
  useHotkey({ keys: 'Escape', label: keys('stop'), group: 'conversation', run: leave });
  useHotkey({ keys: 'mod+Enter', label: keys('start'), group: 'list', run: leave });
  useHotkey({ keys: '/', label: keys('search'), group: 'anywhere', run: focusSearch });

  return (
    <>
      <GoToKeys />
      {finding && (
        <Suspense fallback={<EarlyKeys onWords={setEarly} />}>
          <Palette
            words={early}
            onClose={() => {
              setEarly('');
              onFinding(false);
            }}
            onKeys={showKeys}
            onArchive={setArchiving}
          />
        </Suspense>
      )}
      <Suspense>
        {shown && (
          <KeysDialog
            hotkeys={shown}
            singleKeys={singleKeys}
            onSingleKeys={(on) => {
              setSingleKeys(on);
              setSingle(on);
            }}
            onClose={() => setShown(null)}
          />
        )}
        {archiving !== null && (
          <ConfirmDialog
            open
            onOpenChange={() => setArchiving(null)}
            title={t('archive.title')}
            confirmLabel={t('archive.confirm')}
            onConfirm={() => archive(archiving)}
          >
            {t('archive.text')}
          </ConfirmDialog>
        )}
      </Suspense>
    </>
  );
}

/** Leaves the key to the other handlers. */
const leave = (): boolean => false;

/** In the list and, where it is open, in the conversation itself. */
async function archive(id: string): Promise<boolean> {
  const done = await archiveConversation(id, 'archived');
  if (done) patchSession(id, { status: 'archived' });
  return done;
}

/** Focuses the search field of the page, if it has one: a field of type search, or one that is marked as such. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>(
    'main :is(input[type="search"], input[data-search])',
  );
  field?.focus();
  field?.select();
  return field !== null;
}
