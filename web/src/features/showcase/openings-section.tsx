import { Button, Flex, Text } from '@radix-ui/themes';
import { useRef, useState } from 'react';
import { Choice } from '@/components/choice/choice';
import { Menu } from '@/components/menu/menu';
import { Popup } from '@/components/popup/popup';

const agents = [
  { value: 'prism', label: 'Prism' },
  { value: 'lens', label: 'Lens' },
];

/** What opens at a press and comes when somebody is about to: a menu, a choice, a popup. */
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
    </Flex>
  );
}
