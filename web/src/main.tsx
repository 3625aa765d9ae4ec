import { StrictMode } from 'react';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import '@fontsource-variable/inter/wght.css';
import './app/styles.css';
import { Root } from './app/root';
import { signInFirst } from './app/sign-in-first';
import { loadTexts } from './messages/load';

const container = document.getElementById('root');
if (!container) throw new Error('index.html has no element #root');
// Without it the policy of the page refuses the style element that prevents scrolling behind a dialog.
setNonce(document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '');
signInFirst();

/** Shows the app. It is not awaited at the top of this file: a top-level await keeps the bundler from merging files. */
async function show(root: HTMLElement): Promise<void> {
  await loadTexts();
  createRoot(root).render(
    <StrictMode>
      <Root />
    </StrictMode>,
  );
}

void show(container);
