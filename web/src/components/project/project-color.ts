import styles from './project.module.css';

/** The class of each colour that has a name; any other name stands in the default purple grey. */
export const colorClasses: Readonly<Record<string, string | undefined>> = {
  'Olive Green': styles.olive,
  'Royal Blue': styles.royal,
  'Rose pink': styles.rose,
  'Teal blue': styles.teal,
  'Golden yellow': styles.golden,
  'Scarlet red': styles.scarlet,
};

export const hexColor = /^#[0-9a-f]{6}$/iu;
