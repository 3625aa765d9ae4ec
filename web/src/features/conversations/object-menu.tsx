import { Button, Flex } from '@radix-ui/themes';
import { ChevronDown } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Menu } from '@/components/menu/menu';
import type { TranscriptDisplayObject } from '@/components/transcript/message';
import { blocks as t } from '@/messages/blocks';
import { exportDisplayObject } from '@/stores/display-objects-store';

// The form and its rules are loaded when a user wants a connector.
const TableConnectorDialog = lazy(async () => ({
  default: (await import('./table-connector-dialog')).TableConnectorDialog,
}));

/** A table's own format, and those that the server can convert it to. */
const formats = ['csv', 'xlsx', 'json'] as const;

interface ObjectMenuProps {
  object: TranscriptDisplayObject;
}

/** The actions for a table: downloads in other formats, and making a connector from it. */
export function ObjectMenu({ object }: ObjectMenuProps) {
  const [asksForConnector, setAsksForConnector] = useState(false);
  const ref = { ...object, size: object.size ?? 0 };
  return (
    <Flex justify="end" mt="1">
      <Menu
        size="1"
        align="end"
        trigger={
          <Button
            type="button"
            size="1"
            variant="ghost"
            color="gray"
            aria-label={t('object.more', { name: object.name })}
          >
            {t('object.actions')}
            <ChevronDown size={12} aria-hidden />
          </Button>
        }
      >
        {(M) => (
          <>
            {formats.map((format) => (
              <M.Item key={format} onSelect={() => void exportDisplayObject(ref, format)}>
                {t('object.as', { format: format.toUpperCase() })}
              </M.Item>
            ))}
            <M.Separator />
            <M.Item
              onSelect={() => {
                setAsksForConnector(true);
              }}
            >
              {t('object.connector')}
            </M.Item>
          </>
        )}
      </Menu>
      {asksForConnector && (
        <Suspense fallback={null}>
          <TableConnectorDialog
            object={object}
            onClose={() => {
              setAsksForConnector(false);
            }}
          />
        </Suspense>
      )}
    </Flex>
  );
}
