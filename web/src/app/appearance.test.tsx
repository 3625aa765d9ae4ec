import { render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { setAppearance } from '@/stores/preferences-store';
import { Appearance } from './appearance';

test('the theme and the parts that the browser draws are light or dark together', async () => {
  const { container } = render(<Appearance>Here</Appearance>);
  expect(screen.getByText('Here')).toHaveClass('light');
  expect(document.documentElement.style.colorScheme).toBe('light');
  setAppearance('dark');
  await waitFor(() => expect(container.firstElementChild).toHaveClass('dark'));
  expect(document.documentElement.style.colorScheme).toBe('dark');
  setAppearance('system');
  await waitFor(() => expect(document.documentElement.style.colorScheme).toBe('light'));
});
