import { Select } from '@radix-ui/themes';
import { useEffect } from 'react';
import { useSnapshot } from 'valtio';
import { Page } from '@/components/page/page';
import { blueprintQuery } from '@/lib/blueprint';
import { useListAddress } from '@/lib/use-address';
import { blueprintsState, loadUseCaseCategories } from '@/stores/blueprints-store';
import { BlueprintList } from './blueprint-list';

const everything = 'all';

/** `/blueprint/library`: the blueprints that belong to the organisation, by category. */
function LibraryPage() {
  const { categories } = useSnapshot(blueprintsState);
  const address = useListAddress();
  const { held, change } = address;
  const category = Number(held.get('category')) || null;

  useEffect(() => {
    void loadUseCaseCategories();
  }, []);

  return (
    <Page title="Library blueprints" subtitle="Ready to start, for everybody in your organization.">
      <BlueprintList
        place="library"
        address={address}
        query={blueprintQuery({ library: 'library', category })}
        showOwner={false}
        empty="The library has none in this category."
        filters={
          <Select.Root
            value={category === null ? everything : String(category)}
            onValueChange={(chosen) => change({ category: chosen === everything ? null : chosen })}
          >
            <Select.Trigger aria-label="Category" />
            <Select.Content position="popper">
              <Select.Item value={everything}>All</Select.Item>
              {categories.map(({ id, name }) => (
                <Select.Item key={id} value={String(id)}>
                  {name}
                </Select.Item>
              ))}
            </Select.Content>
          </Select.Root>
        }
      />
    </Page>
  );
}

export { LibraryPage as Component };
