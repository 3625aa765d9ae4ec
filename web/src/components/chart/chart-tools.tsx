import { IconButton } from '@radix-ui/themes';
import { ChartColumn, Rows3 } from 'lucide-react';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { Menu, menuPartsWith } from '@/components/menu/menu';
import type { MenuParts } from '@/components/menu/menu-parts';
import type { OnDemand } from '@/lib/on-demand';
import { shownLater } from '@/lib/shown-later';
import { chart as t } from '@/messages/chart';
import type { ChartFormItems } from './chart-form-items';
import type { ChartModel } from './chart-model';
import type { ChartPlaces } from './chart-places';

// The entries are loaded with the parts of the menus.
const FormItems = shownLater<ComponentProps<typeof ChartFormItems>>(
  async () => (await import('./chart-form-items')).ChartFormItems,
  () => null,
);
const Places = shownLater<ComponentProps<typeof ChartPlaces>>(
  async () => (await import('./chart-places')).ChartPlaces,
  () => null,
);

const formParts = menuPartsWith(FormItems.preload);
const placeParts = menuPartsWith(Places.preload);

interface ChartToolsProps {
  /** The chart as the answer has it, in the chosen form, and as it is drawn. */
  answered: ChartModel;
  model: ChartModel;
  drawn: ChartModel;
  hasForms: boolean;
  onForm: (chart: ChartModel) => void;
  /** Asks for the rows of a place; null where nobody can. */
  onAsk: ((question: string) => void) | null;
}

/** The forms of a chart, and the rows behind its marks for those who do not press one. */
export function ChartTools({ answered, model, drawn, hasForms, onForm, onAsk }: ChartToolsProps) {
  return (
    <>
      {hasForms && (
        <ToolMenu name={t('form')} from={formParts} icon={<ChartColumn size={15} aria-hidden />}>
          {(parts) => <FormItems {...{ parts, answered, drawn, onForm }} />}
        </ToolMenu>
      )}
      {onAsk !== null && (
        <ToolMenu name={t('rows.of')} from={placeParts} icon={<Rows3 size={15} aria-hidden />}>
          {(parts) => <Places {...{ parts, model, drawn, onAsk }} />}
        </ToolMenu>
      )}
    </>
  );
}

interface ToolMenuProps {
  name: string;
  from: OnDemand<MenuParts>;
  icon: ReactElement;
  children: (parts: MenuParts) => ReactNode;
}

function ToolMenu({ name, from, icon, children }: ToolMenuProps) {
  return (
    <Menu
      size="1"
      align="end"
      from={from}
      trigger={
        <IconButton type="button" size="1" variant="ghost" color="gray" aria-label={name}>
          {icon}
        </IconButton>
      }
    >
      {children}
    </Menu>
  );
}
