import { expect, it } from 'vitest';
import { pictureMax, readPicture } from './picture';

const file = (size: number, type: string) => new File([new Uint8Array(size)], 'a', { type });

it('reads a picture of a kind and size that the server takes', async () => {
  expect(await readPicture(file(3, 'image/png'))).toBe('data:image/png;base64,AAAA');
  expect(await readPicture(file(pictureMax, 'image/webp'))).toMatch(/^data:image\/webp;base64,/u);
});

it.each([
  ['image/svg+xml', 3],
  ['text/html', 3],
  ['image/png', pictureMax + 1],
])('takes no %s of %i bytes', async (type, size) => {
  expect(await readPicture(file(size, type))).toBeNull();
});
