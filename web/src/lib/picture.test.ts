import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { limitsOfAnalystRequest } from '@/api/limits.gen';
import { pictureMax, readPicture } from './picture';

const file = (size: number, type: string) => new File([new Uint8Array(size)], 'a', { type });

it('reads a picture of a kind and size that the server takes', async () => {
  expect(await readPicture(file(3, 'image/png'))).toBe('data:image/png;base64,AAAA');
  const largest = await readPicture(file(pictureMax, 'image/webp'));
  expect(largest).toMatch(/^data:image\/webp;base64,/u);
  expect(largest?.length).toBeLessThanOrEqual(limitsOfAnalystRequest.picture.bytes);
});

it.each(['en', 'de'])('says the size in %s', (language) => {
  const texts = JSON.parse(readFileSync(`src/messages/${language}/agents.json`, 'utf8')) as Record<
    string,
    string
  >;
  for (const id of ['form.picture.hint', 'form.picture.refused'])
    expect(texts[id]).toContain(` ${pictureMax / 1000} kB`);
});

it.each([
  ['image/svg+xml', 3],
  ['text/html', 3],
  ['image/png', pictureMax + 1],
])('takes no %s of %i bytes', async (type, size) => {
  expect(await readPicture(file(size, type))).toBeNull();
});
