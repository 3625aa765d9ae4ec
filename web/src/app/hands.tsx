import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { hotkeysNow, setSingleKeys, singleKeysOn, type Hotkey } from '@/lib/hotkeys';
import { paths } from '@/lib/paths';
import { useHotkey } from '@/lib/use-hotkey';
import { keys as t } from '@/messages/keys';
import { GoToKeys } from './go-to-keys';

const KeysDialog = lazy(async () => ({
  default: (await import('@/components/keys/keys-dialog')).KeysDialog,
}));

/** The keys that are there on every page, and their dialogs. */
export function Hands() {
  const navigate = useNavigate();
  const [shown, setShown] = useState<readonly Hotkey[] | null>(null);
  const [singleKeys, setSingle] = useState(singleKeysOn);

  useHotkey({ keys: '?', label: t('open'), group: 'anywhere', run: () => setShown(hotkeysNow()) });
  useHotkey({
    keys: 'c',
    label: t('new'),
    group: 'anywhere',
    run: () => void navigate(paths.newConversation()),
  });
  useHotkey({ keys: '/', label: t('search'), group: 'anywhere', run: focusSearch });

  return (
    <>
      <GoToKeys />
      {shown && (
        <Suspense>
          <KeysDialog
            hotkeys={shown}
            singleKeys={singleKeys}
            onSingleKeys={(on) => {
              setSingleKeys(on);
              setSingle(on);
            }}
            onClose={() => setShown(null)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Goes to the search field of the page, where it has one: a field of type search, or one that is marked as such. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>(
    'main :is(input[type="search"], input[data-search])',
  );
  field?.focus();
  field?.select();
  return field !== null;
}
