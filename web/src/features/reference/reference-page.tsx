import 'swagger-ui-dist/swagger-ui.css';
import { useThemeContext } from '@radix-ui/themes';
import { useEffect, useRef } from 'react';
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { Page } from '@/components/page/page';
import { contractUrl, signRequest } from '@/stores/reference-store';
import { reference as t } from '@/messages/reference';
import styles from './reference-page.module.css';

/**
 * `/api-reference`: the published contract, rendered only from files of our own server. A call that is tried out
 * here is made as the signed-in person.
 */
function ReferencePage() {
  const place = useRef<HTMLDivElement>(null);
  const { appearance } = useThemeContext();
  useEffect(() => {
    // The class with which the library marks a dark page.
    document.documentElement.classList.toggle('dark-mode', appearance === 'dark');
    return () => document.documentElement.classList.remove('dark-mode');
  }, [appearance]);
  useEffect(() => {
    const domNode = place.current;
    if (domNode === null) return undefined;
    SwaggerUI({
      url: contractUrl,
      domNode,
      deepLinking: true,
      docExpansion: 'none',
      defaultModelsExpandDepth: -1,
      filter: true,
      validatorUrl: null,
      requestInterceptor: signRequest,
      onComplete: () => fitIn(domNode),
    });
    return () => domNode.replaceChildren();
  }, []);

  return (
    <Page title={t('title')} subtitle={t('subtitle')}>
      <div ref={place} className={styles.reference} />
    </Page>
  );
}

/** The library assumes that it is a whole page, and its server select has no accessible name. */
function fitIn(reference: HTMLElement): void {
  reference.querySelector('#servers')?.setAttribute('aria-label', t('server'));
  reference.querySelector('h1')?.setAttribute('aria-level', '2');
  // The page has a main landmark already: the calls are a group within it.
  for (const main of reference.querySelectorAll('main')) main.setAttribute('role', 'group');
}

export { ReferencePage as Component };
