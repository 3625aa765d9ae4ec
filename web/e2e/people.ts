/** The people of the demo who are used in the tests. All of them have the password `parley`. */

/** A superuser. */
export const mara = 'mara@meridian.example';

/** A colleague of Mara's, and no superuser. */
export const tomas = 'tomas@meridian.example';

/** A colleague of theirs who has no scheduled tasks. */
export const yuna = 'yuna@meridian.example';

/** A person of another organisation, and a colleague of hers. */
export const elena = 'elena@brightloom.example';
export const samir = 'samir@brightloom.example';
