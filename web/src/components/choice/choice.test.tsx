import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderView } from '@/testing/fixtures/components/render-view';
import { Choice } from './choice';

const options = [
  { value: 'a', label: 'Prism' },
  { value: 'b', label: 'Lens' },
];

function Agents({ first = 'a' }: { first?: string }) {
  const [value, setValue] = useState(first);
  return <Choice label="Agent" options={options} value={value} onChange={setValue} />;
}

const box = () => screen.getByRole('combobox', { name: 'Agent' });

it('shows what is chosen before its parts are here', () => {
  renderView(<Agents />);
  expect(box()).toHaveTextContent('Prism');
  expect(box()).toHaveAttribute('aria-expanded', 'false');
});

it('asks when nothing is chosen', () => {
  renderView(<Agents first="" />);
  expect(box()).toHaveTextContent('Agent');
});

it('chooses another', async () => {
  const user = userEvent.setup();
  renderView(<Agents />);
  await user.click(box());
  expect(await screen.findByRole('option', { name: 'Prism', selected: true })).toBeVisible();
  await user.click(screen.getByRole('option', { name: 'Lens' }));
  expect(box()).toHaveTextContent('Lens');
});

it('opens at an arrow key', async () => {
  const user = userEvent.setup();
  renderView(<Agents />);
  box().focus();
  await user.keyboard('{ArrowDown}');
  expect(await screen.findByRole('option', { name: 'Lens' })).toBeVisible();
});
