import { render, screen } from '@testing-library/react';
import { Theme } from '@radix-ui/themes';
import { expect, it, vi } from 'vitest';
import type * as Locale from '@/lib/locale';
import { Field } from './field';

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
