import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '@fontsource-variable/inter/wght.css';
import './app/styles.css';
import { Root } from './app/root';

const container = document.getElementById('root');
if (!container) throw new Error('index.html has no element #root');
createRoot(container).render(
  <StrictMode>
    <Root />
  </StrictMode>,
);
