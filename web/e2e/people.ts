/** Those of the demo's people whom the journeys are about. Every one of them has the password `parley`. */

/** A superuser. */
export const mara = 'mara@meridian.example';

/** A colleague of Mara's, and no superuser. */
export const tomas = 'tomas@meridian.example';

/** A colleague of theirs who has no scheduled tasks. */
export const yuna = 'yuna@meridian.example';

/** Somebody of another organisation, and a colleague of hers. */
export const elena = 'elena@brightloom.example';
export const samir = 'samir@brightloom.example';
