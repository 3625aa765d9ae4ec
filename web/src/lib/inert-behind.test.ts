import { waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { keepInertBehind } from './inert-behind';

afterEach(() => document.body.replaceChildren());

it('is inert as long as it is hidden behind something, and not after the end', async () => {
  const stop = keepInertBehind();
  const page = document.body.appendChild(document.createElement('div'));
  page.setAttribute('data-aria-hidden', 'true');
  await waitFor(() => expect(page).toHaveAttribute('inert'));
  page.removeAttribute('data-aria-hidden');
  await waitFor(() => expect(page).not.toHaveAttribute('inert'));
  stop();
  page.setAttribute('data-aria-hidden', 'true');
  await Promise.resolve();
  expect(page).not.toHaveAttribute('inert');
});
