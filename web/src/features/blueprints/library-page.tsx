import { Select } from '@radix-ui/themes';
import { useEffect } from 'react';
import { useSnapshot } from 'valtio';
import { Page } from '@/components/page/page';
import { blueprintQuery } from '@/lib/blueprint';
import { useListAddress } from '@/lib/use-address';
import { blueprints as t } from '@/messages/blueprints';
import { blueprintFacts, loadUseCaseCategories } from '@/stores/blueprints-store/blueprints';
import { BlueprintList } from './blueprint-list';

const everything = 'all';

/** `/blueprint/library`: the blueprints that belong to the organisation, by category. */
function LibraryPage() {
  const { categories } = useSnapshot(blueprintFacts);
  const address = useListAddress();
  const { held, change } = address;
  const category = Number(held.get('category')) || null;

  useEffect(() => {
    void loadUseCaseCategories();
  }, []);

  return (
    <Page title={t('library')} subtitle={t('library.subtitle')}>
      <BlueprintList
        address={address}
        query={blueprintQuery({ library: 'library', category })}
        showOwner={false}
        empty={t('library.none')}
        filters={
          <Select.Root
            value={category === null ? everything : String(category)}
            onValueChange={(chosen) => change({ category: chosen === everything ? null : chosen })}
          >
            <Select.Trigger aria-label={t('category')} />
            <Select.Content position="popper">
              <Select.Item value={everything}>{t('scope.all')}</Select.Item>
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
