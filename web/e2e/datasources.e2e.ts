import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';

import { retailOrders, until, upload } from './api';
import { serious } from './axe';
import { mara } from './people';
import { onStage } from './stage';

const stage = onStage();

test('find a connector by star, project and last use, look into it, and delete it', async () => {
  const { page, errors } = await stage.signedIn(mara);
  const token = await stage.product.token(mara);
  const labels = await stage.product.call(token, 'GET', 'discourse/projectlabels');
  const [project] = ((await labels.json()) as { results: { id: number; name: string }[] }).results;
  if (!project) throw new Error('the demo has no project');
  const file = { name: 'harvest.csv', text: 'orchard,kilos\nNorth,20\nSouth,31\n' };
  const fields = { name: 'Harvest', description: 'Kilos by orchard.', scope: 'user', type: 'csv' };
  const id = await upload(stage.product, token, file, fields);
  await stage.product.call(token, 'PUT', `memory/datasources/${id}`, { projectLabels: [project.id] });
  // A conversation about it makes it recent.
  await stage.product.call(token, 'POST', 'discourse/conversations', { name: 'Fruit', dataSources: [id] });

  await page.goto('/datasources');
  const cards = page.getByRole('list', { name: 'Connectors' }).getByRole('article');
  const only = (what: string) =>
    until(
      what,
      async () => (await cards.allInnerTexts()).join().startsWith('Harvest') && (await cards.count()) === 1,
    );
  await page.getByRole('button', { name: 'Favorite Harvest' }).click();
  await page.getByRole('radio', { name: 'Favorite', exact: true }).click();
  await only('the favorite');
  await page.getByRole('radio', { name: 'Recent' }).click();
  await only('the recent one');
  await page.getByRole('radio', { name: 'All', exact: true }).click();
  await page.getByRole('combobox', { name: 'Project' }).click();
  await page.getByRole('option', { name: project.name }).click();
  await only('the one of the project');
  // Going forward and back shows the list as it was left.
  await page.getByRole('link', { name: 'Blueprints', exact: true }).click();
  await page.getByRole('article', { name: 'Harvest' }).waitFor({ state: 'detached' });
  await page.goBack();
  await only('the one of the project again');

  await page.getByRole('button', { name: 'Quick view of Harvest' }).click();
  const view = page.getByRole('dialog', { name: 'Quick view of Harvest' });
  await view.getByRole('gridcell', { name: 'South' }).waitFor();
  expect(await serious(page, 'connectors')).toEqual([]);
  await view.getByRole('link', { name: 'See all details' }).click();
  await page.waitForURL(`${stage.product.url}/datasource/${id}`);
  const star = page.getByRole('button', { name: 'Favorite Harvest' });
  await until('the star', async () => (await star.getAttribute('aria-pressed')) === 'true');

  await page.getByRole('button', { name: 'More actions' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('harvest.csv');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(`${stage.product.url}/datasources`);
  await page.getByText('Retail orders').first().waitFor();
  await page.getByRole('article', { name: 'Harvest' }).waitFor({ state: 'detached' });
  expect(errors).toEqual([]);
});

test('edit the description of a connector, and share it', async () => {
  const { page, errors } = await stage.signedIn(mara);
  const token = await stage.product.token(mara);
  const orders = await retailOrders(stage.product, token);
  await page.goto(`/datasource/${orders}`);
  await page.getByRole('link', { name: 'Edit' }).click();
  // The error is shown at its field, and nothing is sent.
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(' ');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Please enter a valid name').waitFor();
  expect(await serious(page, 'edit a connector')).toEqual([]);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Orders of the shops');
  const dictionary = page.getByLabel('Data dictionary');
  const words = await dictionary.inputValue();
  await dictionary.fill(`${words}\nstars: what the customer thought of it`);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('heading', { name: 'Orders of the shops' }).waitFor();
  await page.getByText('Data dictionary', { exact: true }).click();
  await page.getByText('stars: what the customer thought of it').waitFor();
  // The list that was loaded before has the new name.
  await page.getByRole('link', { name: 'Connectors', exact: true }).click();
  await page.getByRole('article', { name: 'Orders of the shops' }).getByRole('link').click();

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Manage access' }).click();
  const dialog = page.getByRole('dialog', { name: 'Manage access' });
  await dialog.getByRole('combobox', { name: 'Add a person or a team' }).click();
  await page.getByRole('option', { name: 'Tomas Okafor' }).click();
  await dialog.getByRole('combobox', { name: 'Permission of Tomas Okafor' }).click();
  await page.getByRole('option', { name: 'Can edit' }).click();
  expect(await serious(page, 'access to a connector')).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  // The focus is where the dialog was opened, not at the top of the page.
  await until('the focus', async () =>
    page
      .getByRole('button', { name: 'More actions' })
      .evaluate((button) => button === button.ownerDocument.activeElement),
  );
  const answer = await stage.product.call(token, 'GET', `memory/datasources/${orders}/actors`);
  const { results } = (await answer.json()) as {
    results: { actor: { name: string }; permission: string }[];
  };
  expect(results.find(({ actor }) => actor.name === 'Tomas Okafor')?.permission).toBe('write');
  expect(errors).toEqual([]);
});

test('an address that names a blueprint asks for its inputs, and the sidebar knows the library', async () => {
  const { page, errors } = await stage.signedIn(mara);
  await page.goto('/blueprint/library');
  const place = page.getByRole('link', { name: 'Blueprints', exact: true });
  await until('the mark of the place', async () => (await place.getAttribute('aria-current')) === 'page');
  const token = await stage.product.token(mara);
  const found = await stage.product.call(token, 'GET', 'discourse/blueprints?search=deep%20dive');
  const [blueprint] = ((await found.json()) as { results: { id: number }[] }).results;
  await page.goto(`/conversations/new?blueprint=${blueprint?.id ?? 0}`);
  const dialog = page.getByRole('dialog', { name: 'Region deep dive' });
  await dialog.getByLabel('Region').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.waitForURL((url) => url.search === '');
  expect(errors).toEqual([]);
});

test('a connector that belongs to a conversation is always asked there', async () => {
  const { page, errors } = await stage.signedIn(mara);
  const token = await stage.product.token(mara);
  const created = await stage.product.call(token, 'POST', 'discourse/conversations', { name: 'Orchards' });
  const { id } = (await created.json()) as { id: string };
  await page.goto(`/conversations/${id}`);
  await page.locator('footer').getByRole('button', { name: 'Add Connector' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add connector' }).first().click();
  await page.getByLabel('Choose a file').setInputFiles({
    name: 'orchards.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('orchard,kilos\nNorth,20\nSouth,31\n'),
  });
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Orchard survey');
  await page.getByRole('switch', { name: 'Only for this conversation' }).click();
  const uploaded = page.waitForResponse((response) => response.url().endsWith('memory/file/datasources'));
  await page.getByRole('button', { name: 'Add connector' }).last().click();
  const source = (await (await uploaded).json()) as { id: number; conversationId: string };
  expect(source.conversationId).toBe(id);

  await page.locator('footer').getByText('Orchard survey').waitFor();
  expect(await page.getByRole('button', { name: 'Remove Orchard survey' }).count()).toBe(0);
  const asked = page.waitForRequest((request) => request.url().endsWith('discourse/user-text'));
  await page.getByRole('textbox', { name: 'Message' }).fill('kilos by orchard');
  await page.keyboard.press('Enter');
  expect((await asked).postDataJSON()).toMatchObject({ dataSources: [source.id] });
  await page.locator('article[data-role="assistant"]').first().waitFor();
  expect(errors).toEqual([]);
});

/** A document in the format of Office 97 with one stream: a header, a table of sectors and the list of streams. */
function oldDocument(stream: string): Buffer {
  const document = Buffer.alloc(3 * 512);
  document.write('d0cf11e0a1b11ae1', 'hex');
  document.writeUInt16LE(9, 30);
  document.writeUInt32LE(1, 48);
  document.fill(0xff, 512, 1024);
  document.writeUInt32LE(0xff_ff_ff_fe, 512 + 4);
  for (const [place, name] of ['Root Entry', stream].entries()) {
    const entry = 1024 + 128 * place;
    document.write(name, entry, 'utf16le');
    document.writeUInt16LE(2 * name.length + 2, entry + 64);
  }
  return document;
}

test('what the server says of an old workbook and of old slides is seen, and stays', async () => {
  const { page } = await stage.signedIn(mara, { width: 390, height: 844 });
  await page.goto('/datasources');
  await page.getByRole('button', { name: 'Add connector' }).first().click();
  const dialog = page.getByRole('dialog');
  for (const [name, stream, advice] of [
    ['old.xls', 'Workbook', 'In Excel choose Save As and Excel Workbook (.xlsx)'],
    ['old.ppt', 'PowerPoint Document', 'In PowerPoint choose Save As and PowerPoint Presentation (.pptx)'],
  ] as const) {
    const buffer = oldDocument(stream);
    await page
      .getByLabel('Choose a file')
      .setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
    await dialog.getByText(advice).waitFor();
    await dialog.getByRole('button', { name: 'Add connector' }).click();
    await dialog.getByText('Please provide a valid file').waitFor();
    expect(await dialog.getByText(advice).isVisible()).toBe(true);
  }
});

test('where colours are forced, what lies above the page and a connector that is gone have an edge', async () => {
  const { page } = await stage.signedIn(mara);
  await page.emulateMedia({ forcedColors: 'active' });
  const edge = (of: Locator): Promise<boolean> =>
    of.evaluate((element) => {
      const { outlineStyle, outlineColor } = getComputedStyle(element);
      return outlineStyle === 'solid' && outlineColor !== 'rgba(0, 0, 0, 0)';
    });
  await page.goto('/datasources');
  await page.getByRole('button', { name: 'Add connector' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  expect(await edge(dialog)).toBe(true);
  await dialog.getByLabel('Choose a file').setInputFiles({
    name: 'wells.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('well,litres\nNorth,20\nSouth,31\n'),
  });
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Wells');
  const uploaded = page.waitForResponse((response) => response.url().endsWith('memory/file/datasources'));
  await dialog.getByRole('button', { name: 'Add connector' }).click();
  const { id } = (await (await uploaded).json()) as { id: number };
  const token = await stage.product.token(mara);
  const body = { name: 'Water', dataSources: [id] };
  const created = await stage.product.call(token, 'POST', 'discourse/conversations', body);
  const { id: conversation } = (await created.json()) as { id: string };
  await stage.product.call(token, 'DELETE', `memory/datasources/${id}`);
  await page.goto(`/conversations/${conversation}`);
  const gone = page.locator('footer').getByTitle('Connector no longer available');
  await gone.waitFor();
  expect(await edge(gone)).toBe(true);

  await page.goto('/agents/new');
  const field = page.getByRole('combobox', { name: 'Projects' });
  expect(await edge(field)).toBe(true);
  await field.click();
  expect(await edge(page.locator('.rt-PopoverContent'))).toBe(true);
});
