import { Button, Dialog, Flex, Heading, Switch, Text } from '@radix-ui/themes';
import { Keys } from './keys';
import { hotkeyGroups, keysOf, type Hotkey } from '@/lib/hotkeys';
import { useReturnFocus } from '@/lib/use-return-focus';
import { common } from '@/messages/common';
import { keys as t } from '@/messages/keys';
import styles from './keys.module.css';

interface KeysDialogProps {
  /** The shortcuts that were registered when the dialog was opened. */
  hotkeys: readonly Hotkey[];
  /** Whether shortcuts without a modifier are enabled. */
  singleKeys: boolean;
  onSingleKeys: (on: boolean) => void;
  onClose: () => void;
}

/** The shortcuts of this page and those that are listed everywhere, by group. */
export function KeysDialog({ hotkeys, singleKeys, onSingleKeys, onClose }: KeysDialogProps) {
  const returnFocus = useReturnFocus();
  const groups = hotkeyGroups.flatMap((group) => {
    const own = hotkeys.filter((hotkey) => hotkey.group === group);
    return own.length === 0 ? [] : [{ group, own }];
  });
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Content maxWidth="680px" aria-describedby={undefined} {...returnFocus}>
        <Dialog.Title>{t('title')}</Dialog.Title>
        <div className={styles.sections}>
          {groups.map(({ group, own }) => (
            <section key={group} className={styles.section}>
              <Heading as="h2" size="2" color="gray">
                {t(`group.${group}`)}
              </Heading>
              <dl className={styles.rows}>
                {own.map((hotkey) => (
                  <div key={hotkey.label} className={styles.row}>
                    <Text as="span" size="2" asChild>
                      <dt>{hotkey.label}</dt>
                    </Text>
                    <dd>
                      {keysOf(hotkey).map((keys) => (
                        <Keys key={keys} keys={keys} />
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
        <Flex align="center" justify="between" gap="4" wrap="wrap">
          <Text as="label" size="2">
            <Flex gap="2" align="center">
              <Switch size="1" checked={singleKeys} onCheckedChange={onSingleKeys} />
              {t('single')}
            </Flex>
          </Text>
          <Button variant="soft" color="gray" onClick={onClose}>
            {common('close')}
          </Button>
        </Flex>
      </Dialog.Content>
    </Dialog.Root>
  );
}
