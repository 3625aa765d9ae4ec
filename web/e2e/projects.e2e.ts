import { expect, test } from 'vitest';

import { serious } from './axe';
import { mara, tomas } from './people';
import { onStage } from './stage';

const stage = onStage();

test('make a project, find what belongs to it, change it, and delete it', async () => {
  const { page, errors } = await stage.signedIn(tomas);
  const found: string[] = [];

  await page.goto('/projects');
  await page.getByRole('button', { name: 'Create Project' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create Project' });
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('Please enter a valid color').waitFor();
  found.push(...(await serious(page, 'create project')));
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Quartz campaign');
  await dialog.getByRole('textbox', { name: 'Description' }).fill('What we sell in spring');
  await dialog.getByRole('radio', { name: 'Golden yellow' }).click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Project created successfully').waitFor();

  // Its items are on its page.
  const token = await stage.product.token(tomas);
  const projects = (await (await stage.product.call(token, 'GET', 'discourse/projectlabels')).json()) as {
    results: { id: number; name: string; color: string }[];
  };
  const project = projects.results.find(({ name }) => name === 'Quartz campaign');
  expect(project?.color).toBe('Golden yellow');
  const conversation = await stage.product.call(token, 'POST', 'discourse/conversations', {
    name: 'Spring prices',
  });
  const { id } = (await conversation.json()) as { id: string };
  await stage.product.call(token, 'PATCH', `discourse/conversations/${id}`, { projectLabels: [project?.id] });
  await page.getByRole('link', { name: 'Quartz campaign' }).click();
  await page.getByRole('link', { name: /Spring prices/ }).waitFor();
  found.push(...(await serious(page, 'project')));

  // Unsaved changes cause a question, and saved ones are shown.
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Feldspar campaign');
  await page.getByRole('link', { name: 'Projects' }).first().click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
  found.push(...(await serious(page, 'edit project')));
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Project label updated successfully').waitFor();
  await page.getByRole('heading', { name: 'Feldspar campaign' }).waitFor();

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const asked = page.getByRole('alertdialog', { name: 'Delete project' });
  await asked.getByRole('button', { name: 'Delete' }).waitFor();
  found.push(...(await serious(page, 'delete project')));
  await asked.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Project deleted successfully').waitFor();
  await page.waitForURL(/\/projects$/);
  expect(await page.getByRole('link', { name: 'Feldspar campaign' }).count()).toBe(0);
  // The conversation is not deleted.
  expect((await stage.product.call(token, 'GET', `discourse/conversations/${id}`)).ok).toBe(true);

  // Only its owner can change a project.
  const maras = await stage.product.token(mara);
  await stage.product.call(maras, 'POST', 'discourse/projectlabels', {
    name: 'Of Mara',
    description: 'Hers',
    color: 'Royal Blue',
  });
  await page.goto('/projects');
  await page.getByRole('button', { name: 'More actions for Of Mara' }).click();
  await page
    .getByRole('menuitem', { name: /Delete/ })
    .getByText('Only the owner of the project and superusers can change it.')
    .waitFor();
  expect(found).toEqual([]);
  expect(errors).toEqual([]);
});
