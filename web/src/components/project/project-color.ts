import styles from './project.module.css';

/** The class of each colour that has a name; any other name is shown in the default purple grey. */
export const colorClasses: Readonly<Record<string, string | undefined>> = {
  'Olive Green': styles.olive,
  'Royal Blue': styles.royal,
  'Rose pink': styles.rose,
  'Teal blue': styles.teal,
  'Golden yellow': styles.golden,
  'Scarlet red': styles.scarlet,
};

/** The six colours and the default one as CSS, for charts. */
const css: Readonly<Record<string, string>> = {
  'Olive Green': '#6b8e23',
  'Royal Blue': '#4169e1',
  'Rose pink': '#e5678f',
  'Teal blue': '#1f8a9e',
  'Golden yellow': '#e0a800',
  'Scarlet red': '#e0301e',
};

/** A project's colour as CSS. An unknown colour is replaced by the default purple grey. */
export function cssColor(color: string): string {
  if (hexColor.test(color)) return color;
  return (Object.hasOwn(css, color) ? css[color] : undefined) ?? '#8c84a5';
}

export const hexColor = /^#[0-9a-f]{6}$/iu;
