import { Avatar, Badge, IconButton, Select, Text } from '@radix-ui/themes';
import { X } from 'lucide-react';
import { Tooltip } from '@/components/tooltip/tooltip';
import type { GrantChange } from '@/lib/access';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { initials } from '@/lib/format';
import type { Grant } from '@/lib/wire';
import { access as t } from '@/messages/access';
import { common } from '@/messages/common';
import styles from './access.module.css';

interface AccessRowProps {
  grant: DeepReadonly<Grant>;
  editable: boolean;
  canWrite: boolean;
  onChange: (change: GrantChange) => void;
}

/** One person or team, and their right. */
export function AccessRow({ grant, editable, canWrite, onChange }: AccessRowProps) {
  const { actor, permission } = grant;
  return (
    <li className={styles.grant}>
      <Avatar
        size="2"
        radius={actor.type === 'team' ? 'medium' : 'full'}
        fallback={initials(actor.name)}
        alt=""
        {...(actor.picture !== '' && { src: actor.picture })}
      />
      <Text size="2" truncate className={styles.name ?? ''} title={actor.name}>
        {actor.name}
      </Text>
      {editable ? (
        <Select.Root
          size="1"
          value={permission}
          onValueChange={(value) => onChange({ actor, permission: value === 'write' ? 'write' : 'read' })}
        >
          <Select.Trigger variant="soft" color="gray" aria-label={t('permission.of', { name: actor.name })} />
          <Select.Content position="popper">
            <Select.Item value="read">{t('read')}</Select.Item>
            {/* The right to change is listed even if it cannot be given. */}
            <Select.Item value="write" disabled={!canWrite}>
              {t('write')}
            </Select.Item>
          </Select.Content>
        </Select.Root>
      ) : (
        <Badge color="gray">{t(permission)}</Badge>
      )}
      {editable && (
        <Tooltip content={common('remove')}>
          <IconButton
            size="1"
            variant="ghost"
            color="gray"
            aria-label={t('remove', { name: actor.name })}
            onClick={() => onChange({ actor, permission: 'remove' })}
          >
            <X size={15} />
          </IconButton>
        </Tooltip>
      )}
    </li>
  );
}
