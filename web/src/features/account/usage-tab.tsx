import { Flex, Select, Switch, Text } from '@radix-ui/themes';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { useSnapshot } from 'valtio';
import { usagePeriods, type UsagePeriod } from '@/lib/usage';
import { account as t } from '@/messages/account';
import { loadTimePeriods, usageState } from '@/stores/usage-store';
import styles from './account.module.css';
import { UsageBars } from './usage-bars';
import { UsageDetails } from './usage-details';
import { UsageFigures } from './usage-figures';

/** The usage by person and purpose. The period and the switch are kept in the address. */
export function UsageTab() {
  const [address, setAddress] = useSearchParams();
  const period = usagePeriods.find((one) => one === address.get('period')) ?? 'this_month';
  const personal = address.get('personal') === 'true';
  const level = personal ? 'user' : 'organization';

  function change(name: string, value: string | null): void {
    setAddress(
      (now) => {
        const next = new URLSearchParams(now);
        if (value === null) next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  }

  return (
    <div className={styles.usage}>
      <Flex gap="5" align="center" wrap="wrap">
        <PeriodSelect
          value={period}
          onChange={(next) => change('period', next === 'this_month' ? null : next)}
        />
        <Text as="label" size="2">
          <Flex gap="2" align="center">
            <Switch checked={personal} onCheckedChange={(isOn) => change('personal', isOn ? 'true' : null)} />
            {t('personal')}
          </Flex>
        </Text>
      </Flex>
      <UsageFigures level={level} period={period} />
      <UsageBars level={level} period={period} />
      <UsageDetails personal={personal} period={period} />
    </div>
  );
}

interface PeriodSelectProps {
  value: UsagePeriod;
  onChange: (period: UsagePeriod) => void;
}

/** The periods that the server offers, without the custom one. */
function PeriodSelect({ value, onChange }: PeriodSelectProps) {
  const { value: periods } = useSnapshot(usageState).periods;
  useEffect(() => {
    void loadTimePeriods();
  }, []);
  const offered = usagePeriods.filter((one) => periods?.some(({ id }) => id === one) ?? true);
  return (
    <Select.Root
      value={value}
      onValueChange={(next) => onChange(usagePeriods.find((one) => one === next) ?? 'this_month')}
    >
      <Select.Trigger aria-label={t('period')} />
      <Select.Content position="popper">
        {offered.map((period) => (
          <Select.Item key={period} value={period}>
            {t(`period.${period}`)}
          </Select.Item>
        ))}
      </Select.Content>
    </Select.Root>
  );
}
