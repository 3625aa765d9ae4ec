import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { EarlyKeys } from './early-keys';

it('keeps the letters that are typed before the palette is there, and lets no field have them', async () => {
  const user = userEvent.setup();
  let words = '';
  const box = vi.fn();
  const page = render(
    <>
      <textarea aria-label="Message" onChange={box} />
      <EarlyKeys
        onWords={(change) => {
          words = change(words);
        }}
      />
    </>,
  );
  await user.click(page.getByRole('textbox'));
  await user.keyboard('retx{Backspace}ail{Control>}k{/Control}');
  expect(words).toBe('retail');
  expect(box).not.toHaveBeenCalled();
  page.rerender(<textarea aria-label="Message" onChange={box} />);
  await user.click(page.getByRole('textbox'));
  await user.keyboard('more');
  expect(words).toBe('retail');
  expect(page.getByRole('textbox')).toHaveValue('more');
});
