import { DropdownMenu } from '@radix-ui/themes';

/** The parts of a menu, as a module of its own: they and what they need weigh 20 kB. */
export type MenuParts = typeof DropdownMenu;

export { DropdownMenu as menuParts };
