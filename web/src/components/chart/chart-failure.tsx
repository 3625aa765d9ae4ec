import { Callout } from '@radix-ui/themes';
import { TriangleAlert } from 'lucide-react';
import { chart as t } from '@/messages/chart';

/** Shown in place of a chart that cannot be drawn. The texts are those of the specification. */
export function ChartFailure() {
  return (
    <Callout.Root color="gray" variant="surface" size="1" role="alert">
      <Callout.Icon>
        <TriangleAlert size={16} aria-hidden />
      </Callout.Icon>
      <Callout.Text weight="medium">{t('failed.title')}</Callout.Text>
      <Callout.Text>{t('failed.text')}</Callout.Text>
    </Callout.Root>
  );
}
