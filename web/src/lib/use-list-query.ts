import { useListAddress } from './use-address';

/** The filters and the view of a list, in the format of `components/entity-list`. */
export interface AddressedQuery<S extends string> {
  segment: S;
  project: number | null;
  search: string;
  view: 'card' | 'list';
  sort: { column: string; descending: boolean } | null;
}

interface ListQueryOptions<S extends string> {
  /** The first one is shown if the address names none. */
  segments: readonly S[];
  view?: 'card' | 'list';
}

/** Parses `name` and `-name`. */
function readSort(text: string | null): AddressedQuery<string>['sort'] {
  if (text === null || text === '' || text === '-') return null;
  return text.startsWith('-')
    ? { column: text.slice(1), descending: true }
    : { column: text, descending: false };
}

/**
 * The query of a list in the address (`filter`, `project`, `search`, `view`, `sort`): it can be shared, and a
 * reload and going back keep it. Default values are not written. Use it once per page, like `useListAddress`.
 */
export function useListQuery<S extends string>(
  options: ListQueryOptions<S>,
): {
  query: AddressedQuery<S>;
  change: (changes: Partial<AddressedQuery<string>>) => void;
  /** The other parameters of the address, such as a category. */
  held: URLSearchParams;
  /** Changes other parameters; `null` removes one. */
  changeOther: (changes: Readonly<Record<string, string | null>>) => void;
} {
  const { segments, view: usualView = 'card' } = options;
  const { held, change, words, setWords } = useListAddress();
  const otherView = usualView === 'card' ? 'list' : 'card';
  const usual = segments[0];
  if (usual === undefined) throw new Error('A list has at least one segment.');

  function write({ search, segment, project, view, sort }: Partial<AddressedQuery<string>>): void {
    if (search !== undefined) setWords(search);
    const written: Record<string, string | null> = {};
    if (segment !== undefined) written['filter'] = segment === usual ? null : segment;
    if (project !== undefined) written['project'] = project === null ? null : String(project);
    if (view !== undefined) written['view'] = view === usualView ? null : view;
    if (sort !== undefined)
      written['sort'] = sort === null ? null : `${sort.descending ? '-' : ''}${sort.column}`;
    if (Object.keys(written).length > 0) change({ ...written, ...(search !== undefined && { search }) });
  }

  return {
    query: {
      segment: segments.find((one) => one === held.get('filter')) ?? usual,
      project: Number(held.get('project')) || null,
      search: words,
      view: held.get('view') === otherView ? otherView : usualView,
      sort: readSort(held.get('sort')),
    },
    change: write,
    held,
    changeOther: change,
  };
}
