import { expect, test } from 'vitest';
import { modelName } from './model-name';

test.each([
  ['builtin', 'Built-in planner'],
  ['scripted', 'Script for tests'],
  ['openai', 'OpenAI'],
  ['gpt-5-mini', 'gpt-5-mini'],
  ['', ''],
])('%s is shown as %s', (name, shown) => {
  expect(modelName(name)).toBe(shown);
});
