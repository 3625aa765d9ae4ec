import { Heading, Text } from '@radix-ui/themes';
import type { ReactNode } from 'react';
import { cx } from '@/lib/cx';
import { useTitle } from '@/lib/use-title';
import styles from './page.module.css';

interface PageProps {
  title: string;
  /** One line under the title. */
  subtitle?: ReactNode;
  /** Buttons at the right of the title. */
  actions?: ReactNode;
  /** Uses the full width of a wide screen, for example for lists of cards. */
  wide?: boolean;
  children: ReactNode;
}

/** A scrolling page with its heading. */
export function Page({ title, subtitle, actions, wide = false, children }: PageProps) {
  useTitle(title);
  return (
    <div className={styles.page}>
      <div className={cx(styles.inner, wide && styles.wide)}>
        <header className={styles.head}>
          <div className={styles.name}>
            <Heading as="h1" size="6" weight="bold">
              {title}
            </Heading>
            {subtitle !== undefined && (
              <Text as="p" size="2" color="gray" mt="1">
                {subtitle}
              </Text>
            )}
          </div>
          {actions}
        </header>
        {children}
      </div>
    </div>
  );
}
