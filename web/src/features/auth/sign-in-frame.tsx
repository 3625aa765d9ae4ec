import { Card, Heading, Text } from '@radix-ui/themes';
import type { ReactNode } from 'react';
import { Logo } from '@/components/logo/logo';
import styles from './sign-in-frame.module.css';

interface SignInFrameProps {
  title: string;
  text: ReactNode;
  /** The one button. */
  children: ReactNode;
}

/** The pages around signing in: the name, one sentence, one button. The embedded provider's form looks the same. */
export function SignInFrame({ title, text, children }: SignInFrameProps) {
  return (
    <main className={styles.page}>
      <div className={styles.inner}>
        <div className={styles.brand}>
          <Logo size={40} />
          <span>Parley</span>
        </div>
        <Card size="3" className={styles.card ?? ''}>
          <Heading as="h1" size="5">
            {title}
          </Heading>
          <Text as="p" size="2" color="gray" mt="1" mb="4">
            {text}
          </Text>
          {children}
        </Card>
      </div>
    </main>
  );
}
