import { Avatar, Text } from '@radix-ui/themes';
import { Braces, ChevronsUpDown, Languages, SunMoon } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useSnapshot } from 'valtio';
import { Menu } from '@/components/menu/menu';
import { initials } from '@/lib/format';
import { chooseLanguage, languageChoice, languages, type LanguageChoice } from '@/lib/locale';
import { paths } from '@/lib/paths';
import { shell as t } from '@/messages/shell';
import { meState } from '@/stores/me-store';
import { appearances, preferencesState, setAppearance } from '@/stores/preferences-store';
import styles from './sidebar.module.css';

interface AccountMenuProps {
  collapsed: boolean;
  onNavigate?: (() => void) | undefined;
  /** The element in which the menu is drawn; by default the end of the document. */
  container?: (() => HTMLElement | null) | undefined;
}

/** The person who is signed in, and the settings of this browser. */
export function AccountMenu({ collapsed, onNavigate, container }: AccountMenuProps) {
  const { user } = useSnapshot(meState);
  const { appearance } = useSnapshot(preferencesState);
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const name = user?.fullName ?? '';

  return (
    <Menu
      side="top"
      align="start"
      variant="soft"
      container={place}
      onOpenChange={() => setPlace(container?.() ?? null)}
      trigger={
        <button type="button" className={styles.person} aria-label={t('account.menu', { name })}>
          <Avatar
            size="2"
            radius="full"
            fallback={initials(name)}
            alt=""
            {...(user?.picture !== undefined && user.picture !== '' && { src: user.picture })}
          />
          {!collapsed && (
            <>
              <span className={styles.personText}>
                <Text as="div" size="2" weight="medium" truncate>
                  {name}
                </Text>
                <Text as="div" size="1" color="gray" truncate>
                  {user?.organization.name}
                </Text>
              </span>
              <ChevronsUpDown size={14} aria-hidden="true" />
            </>
          )}
        </button>
      }
    >
      {(M) => (
        <>
          <M.Sub>
            <M.SubTrigger>
              <SunMoon size={16} aria-hidden="true" /> {t('appearance')}
            </M.SubTrigger>
            <M.SubContent container={place}>
              <M.RadioGroup value={appearance}>
                {appearances.map((one) => (
                  <M.RadioItem key={one} value={one} onSelect={() => setAppearance(one)}>
                    {t(`appearance.${one}`)}
                  </M.RadioItem>
                ))}
              </M.RadioGroup>
            </M.SubContent>
          </M.Sub>
          <M.Sub>
            <M.SubTrigger>
              <Languages size={16} aria-hidden="true" /> {t('language')}
            </M.SubTrigger>
            <M.SubContent container={place}>
              <M.RadioGroup value={languageChoice()}>
                {(['browser', ...languages] as const).map((one) => (
                  <M.RadioItem key={one} value={one} onSelect={() => changeLanguage(one)}>
                    {t(`language.${one}`)}
                  </M.RadioItem>
                ))}
              </M.RadioGroup>
            </M.SubContent>
          </M.Sub>
          <M.Separator />
          <M.Item asChild onSelect={onNavigate}>
            <Link to={paths.apiReference}>
              <Braces size={16} aria-hidden="true" /> {t('apiReference')}
            </Link>
          </M.Item>
        </>
      )}
    </Menu>
  );
}

/**
 * Texts and formats are made once per page, so a change of language reloads the page. Drafts are kept in the
 * browser.
 */
function changeLanguage(choice: LanguageChoice): void {
  if (choice === languageChoice()) return;
  chooseLanguage(choice);
  window.location.reload();
}
