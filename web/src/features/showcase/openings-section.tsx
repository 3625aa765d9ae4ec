import { Button, Flex, IconButton, Text } from '@radix-ui/themes';
import { Star } from 'lucide-react';
import { useRef, useState } from 'react';
import { Choice } from '@/components/choice/choice';
import { Menu } from '@/components/menu/menu';
import { Popup } from '@/components/popup/popup';
import { Tooltip } from '@/components/tooltip/tooltip';

const agents = [
  { value: 'prism', label: 'Prism' },
  { value: 'lens', label: 'Lens' },
];

/** Components whose parts are loaded on demand: a menu, a choice, a popup, tooltips. */
export function OpeningsSection() {
  const [agent, setAgent] = useState('prism');
  const [none, setNone] = useState('');
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  return (
    <Flex gap="4" wrap="wrap" align="center">
      <Menu
        trigger={
          <Button variant="soft" color="gray">
            Menu
          </Button>
        }
      >
        {({ Item, Separator }) => (
          <>
            <Item>Rename</Item>
            <Item disabled>Only for owners</Item>
            <Separator />
            <Item color="red">Delete</Item>
          </>
        )}
      </Menu>
      <Choice label="Agent" options={agents} value={agent} onChange={setAgent} />
      <Choice
        label="Nothing chosen yet"
        options={agents}
        value={none}
        onChange={setNone}
        variant="soft"
        gray
      />
      <Button ref={anchor} variant="soft" color="gray" aria-expanded={open} onClick={() => setOpen(!open)}>
        Popup
      </Button>
      <Popup anchor={anchor} open={open} onOpenChange={setOpen} label="About the popup" maxWidth="320px">
        <Text as="p" size="2">
          It stands beside what was pressed, and closes with Escape.
        </Text>
      </Popup>
      <Tooltip content="Above, if there is room">
        <IconButton variant="ghost" color="gray" aria-label="Star">
          <Star size={17} aria-hidden="true" />
        </IconButton>
      </Tooltip>
      <Tooltip
        content="A long text takes several lines, and one may point at it, read it and stay until it is read."
        side="right"
      >
        <Button variant="soft" color="gray">
          Tooltip
        </Button>
      </Tooltip>
    </Flex>
  );
}
