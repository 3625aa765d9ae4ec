import { limitsOfAnalystRequest } from '@/api/limits.gen';

/** The allowed types of a picture: the server accepts the same. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

/**
 * The maximum size of a picture in bytes, as a round number. The server limits the data URL, which has four characters
 * for three bytes.
 */
export const pictureMax = roundDown(
  ((limitsOfAnalystRequest.picture.bytes - 'data:image/webp;base64,'.length) * 3) / 4,
);

function roundDown(bytes: number): number {
  return Math.floor(bytes / 5000) * 5000;
}

/** A file as the data URL that is sent for a picture; `null` if the server would refuse it. */
export async function readPicture(file: File): Promise<string | null> {
  if (file.size > pictureMax || !pictureTypes.some((type) => type === file.type)) return null;
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : null);
    reader.onerror = () => resolve(null);
    reader.readAsDataURL(file);
  });
}
