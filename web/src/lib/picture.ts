/** The allowed types of a picture, and its maximum size in bytes: the server accepts the same. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export const pictureMax = 100_000;

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
