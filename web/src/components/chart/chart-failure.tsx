import { Callout } from '@radix-ui/themes';
import { TriangleAlert } from 'lucide-react';

/** What stands in the place of a chart that cannot be drawn. The texts are the spec's. */
export function ChartFailure() {
  return (
    <Callout.Root color="gray" variant="surface" size="1" role="alert">
      <Callout.Icon>
        <TriangleAlert size={16} aria-hidden />
      </Callout.Icon>
      <Callout.Text weight="medium">Chart failed to render</Callout.Text>
      <Callout.Text>There was an error loading this chart. Please try again later.</Callout.Text>
    </Callout.Root>
  );
}
