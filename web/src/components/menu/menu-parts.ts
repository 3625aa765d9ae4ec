import { DropdownMenu } from '@radix-ui/themes';

/** The parts of a menu, as a separate module: with their dependencies they are 20 kB. */
export type MenuParts = typeof DropdownMenu;

export { DropdownMenu as menuParts };
