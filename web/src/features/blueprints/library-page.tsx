import { Select } from '@radix-ui/themes';
import { useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import { Page } from '@/components/page/page';
import { blueprintQuery } from '@/lib/blueprint';
import { blueprintsState, loadUseCaseCategories } from '@/stores/blueprints-store';
import { BlueprintList } from './blueprint-list';

const everything = 'all';

/** `/blueprint/library`: the blueprints that belong to the organisation, by category. */
function LibraryPage() {
  const { categories } = useSnapshot(blueprintsState);
  const [chosen, setChosen] = useState(everything);
  const category = chosen === everything ? null : Number(chosen);

  useEffect(() => {
    void loadUseCaseCategories();
  }, []);

  return (
    <Page title="Library blueprints" subtitle="Ready to start, for everybody in your organization.">
      <BlueprintList
        place="library"
        query={blueprintQuery({ library: 'library', category })}
        showOwner={false}
        empty="The library has none in this category."
        filters={
          <Select.Root value={chosen} onValueChange={setChosen}>
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
