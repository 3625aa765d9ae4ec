import { expect, test } from 'vitest';

import { read, retailOrders, until } from './api';
import { serious } from './axe';
import { signIn } from './browser';
import { elena, mara } from './people';
import { onStage } from './stage';

const stage = onStage();

test('everything is reached by the keyboard: palette, keys, areas, search, Start', async () => {
  const { page, errors } = await stage.sit();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  await signIn(page, mara);
  const found: string[] = [];

  // The palette opens from the message box, and finds a connector by its name.
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Find anything' });
  await palette.getByText('New conversation').waitFor();
  found.push(...(await serious(page, 'palette')));
  await page.keyboard.type('retail');
  await palette.getByRole('option', { name: /Retail orders/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/datasource\/\d+/);

  // Keys are listed, and a sequence of two opens Home, where the box has the focus.
  await page.locator('main').focus();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  found.push(...(await serious(page, 'keys')));
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' });
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await page.waitForURL(/\/home/);
  await page.getByRole('heading', { name: 'Ask your data anything' }).waitFor();

  // A card is chosen, and Start needs only one press.
  await page.getByRole('button', { name: /^Retail orders/ }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Start with 1 connector' }).waitFor();
  await page.keyboard.press('Control+Enter');
  await page.waitForURL(/\/conversations\/new\?dataSources/);

  // A menu hides nothing from a screen reader.
  await page.goto('/home');
  await page.getByRole('button', { name: /appearance and more/ }).click();
  await page.getByRole('menuitem', { name: 'Appearance' }).waitFor();
  found.push(...(await serious(page, 'account menu')));
  await page.getByRole('menuitem', { name: 'Appearance' }).press('ArrowRight');
  await page.getByRole('menuitemradio', { name: 'Dark' }).press('Enter');
  await page.locator('.radix-themes.dark').first().waitFor();

  // A missing page says so, and is not reported as an error of the app.
  await page.goto('/nowhere');
  await page.getByRole('heading', { name: 'Not found' }).waitFor();
  found.push(...(await serious(page, 'not found')));
  expect(complaints).toEqual([]);
  await page.getByRole('link', { name: 'Go to home' }).press('Enter');
  await page.getByRole('heading', { name: 'Ask your data anything' }).waitFor();
  expect(found).toEqual([]);
  expect(errors).toEqual([]);
});

test('several conversations are archived by the keyboard, and restored by the pointer', async () => {
  const token = await stage.product.token(mara);
  const ids: string[] = [];
  for (const name of ['Sweep 1', 'Sweep 2', 'Sweep 3']) {
    const made = await stage.product.call(token, 'POST', 'discourse/conversations', { name });
    ids.push(((await made.json()) as { id: string }).id);
  }
  const archived = async (): Promise<string[]> => {
    const answer = await stage.product.call(token, 'GET', 'discourse/conversations?status=archived');
    const { results } = (await answer.json()) as { results: { id: string }[] };
    return ids.filter((id) => results.some((one) => one.id === id));
  };

  const { page, errors } = await stage.signedIn(mara);
  const row = (name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) });
  await page.goto(`/conversations/${ids[2]}`);
  // The latest is the first.
  await row('Sweep 3').focus();
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+X');
  await page.getByRole('heading', { name: '3 selected' }).waitFor();
  expect(await serious(page, 'selection')).toEqual([]);
  await page.keyboard.press('e');
  const dialog = page.getByRole('alertdialog', { name: 'Archive 3 conversations' });
  await dialog.getByRole('button', { name: 'Archive' }).press('Enter');
  await page.getByText('3 conversations archived').waitFor();
  await row('Sweep 1').waitFor({ state: 'detached' });
  expect((await archived()).sort()).toEqual([...ids].sort());
  // What was open stays open.
  expect(page.url()).toContain(ids[2]);

  await page.getByRole('tab', { name: 'Archived' }).click();
  await row('Sweep 3').click({ modifiers: ['Shift'] });
  await page.getByRole('checkbox', { name: 'Select Sweep 1' }).click();
  await page.getByRole('button', { name: 'Unarchive', exact: true }).click();
  await page.getByText('2 conversations unarchived').waitFor();
  expect(await archived()).toEqual([ids[1]]);
  expect(errors).toEqual([]);
});

test('an area that a person does not have is not found', async () => {
  const { page } = await stage.signedIn(elena);
  expect(await page.getByRole('link', { name: 'Agents' }).count()).toBe(0);
  await page.goto('/components');
  await page.getByRole('heading', { name: 'Not found' }).waitFor();
});

test('words of an answer are found, and the conversation opens at that message', async () => {
  const token = await stage.product.token(mara);
  const orders = await retailOrders(stage.product, token);
  const made = await stage.product.call(token, 'POST', 'discourse/conversations', {
    name: 'Regions',
    dataSources: [orders],
  });
  const { id } = (await made.json()) as { id: string };
  await stage.product.call(token, 'POST', 'discourse/user-text', {
    conversationId: id,
    message: { text: 'total net sales by country' },
    dataSources: [orders],
  });
  const answer = await until('an answer', async () => {
    const { messageSet, isStreaming } = await read(stage.product, token, id);
    return !isStreaming && messageSet.find(({ role, text }) => role !== 'user' && text.includes('Germany'));
  });

  const { page, errors } = await stage.signedIn(mara);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Find anything' });
  await palette.getByText('New conversation').waitFor();
  await page.keyboard.type('germany highest');
  await palette
    .getByRole('group', { name: 'Said in conversations' })
    .getByRole('option', { name: /Regions.*Germany/u })
    .waitFor();
  expect(await serious(page, 'palette with messages')).toEqual([]);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/conversations/${id}?message_id=message-*`);
  await page.locator('[data-highlighted]').getByText('Germany').first().waitFor();

  // Beside the list, for those who look there first.
  await page.goto('/conversations?search=germany%20highest');
  const said = page.getByRole('region', { name: 'Said in conversations' });
  await said.getByRole('link', { name: /Regions/u }).click();
  await page.waitForURL(`**/conversations/${id}?search=germany+highest&message_id=message-*`);
  expect(answer.text).toContain('Germany');
  expect(await serious(page, 'list with messages')).toEqual([]);
  expect(errors).toEqual([]);
});
