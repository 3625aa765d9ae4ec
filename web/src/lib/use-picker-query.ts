import { useState } from 'react';
import type { AddressedQuery } from './use-list-query';

/** The query of a list that is not a page, for example in a dialog: it is not kept in the address. */
export function usePickerQuery<S extends string>(
  segments: readonly [S, ...S[]],
): { query: AddressedQuery<S>; change: (changes: Partial<AddressedQuery<string>>) => void } {
  const [query, setQuery] = useState<AddressedQuery<S>>({
    segment: segments[0],
    project: null,
    search: '',
    view: 'card',
    sort: null,
  });
  function change({ segment, ...others }: Partial<AddressedQuery<string>>): void {
    const known = segments.find((one) => one === segment);
    setQuery((now) => ({ ...now, ...others, ...(known !== undefined && { segment: known }) }));
  }
  return { query, change };
}
