import { render, screen } from '@testing-library/react';
import { Theme } from '@radix-ui/themes';
import { expect, it, vi } from 'vitest';
import type * as Locale from '@/lib/locale';
import { Field } from './field';
import { FormSettingsContext } from './form-settings';

vi.mock('@/lib/locale', async (actual) => ({ ...(await actual<typeof Locale>()), locale: 'de-DE' }));

it('writes how long a text is and may be with the marks of the language', () => {
  render(
    <Theme>
      <Field label="Note" problem={undefined} length={{ text: 'x'.repeat(1234), limit: 5000 }}>
        {(ids) => <textarea {...ids} />}
      </Field>
    </Theme>,
  );
  expect(screen.getByText('1.234 / 5.000')).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'Note' })).toHaveAccessibleDescription(
    '1.234 of 5.000 characters',
  );
});

it('says nothing of what is required and how much fits to people who can only read', () => {
  const field = (
    <Field label="Note" problem={undefined} required length={{ text: 'abc', limit: 50 }}>
      {(ids) => <textarea {...ids} readOnly />}
    </Field>
  );
  const { rerender } = render(<Theme>{field}</Theme>);
  expect(screen.getByText('*')).toBeVisible();
  expect(screen.getByText('3 / 50')).toBeVisible();
  rerender(
    <Theme>
      <FormSettingsContext value={{ readOnly: true, submit: () => undefined }}>{field}</FormSettingsContext>
    </Theme>,
  );
  expect(screen.getByRole('textbox', { name: 'Note' })).not.toHaveAccessibleDescription();
  expect(screen.queryByText('*')).toBeNull();
  expect(screen.queryByText('3 / 50')).toBeNull();
});
