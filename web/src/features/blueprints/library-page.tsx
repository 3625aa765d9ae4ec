import { Select } from '@radix-ui/themes';
import { useEffect } from 'react';
import { useSnapshot } from 'valtio';
import { Page } from '@/components/page/page';
import { useListQuery } from '@/lib/use-list-query';
import { blueprints as t } from '@/messages/blueprints';
import { blueprintFacts, loadUseCaseCategories } from '@/stores/blueprints-store/blueprints';
import { LoadedBlueprints } from './loaded-blueprints';

const everything = 'all';
const segments = [everything] as const;

/** `/blueprint/library`: the blueprints that belong to the organisation, by category. */
function LibraryPage() {
  const { categories } = useSnapshot(blueprintFacts);
  const { query, change, held, changeOther } = useListQuery({ segments });
  const category = Number(held.get('category')) || null;
  const chosen = categories.find(({ id }) => id === category)?.name;

  useEffect(() => {
    void loadUseCaseCategories();
  }, []);

  const choose = (to: string): void => changeOther({ category: to === everything ? null : to });
  return (
    <Page wide title={t('library')} subtitle={t('library.subtitle')}>
      <LoadedBlueprints
        label={t('library')}
        narrowed={{ library: 'library', category }}
        query={query}
        onQuery={(changes) => {
          // With an empty search and no project, the whole library with all categories is shown again.
          const isCleared = changes.search === '' && changes.project === null;
          change(changes);
          if (isCleared && category !== null) choose(everything);
        }}
        showOwner={false}
        empty={t('library.none')}
        filtered={chosen === undefined ? undefined : t('library.filtered', { category: chosen })}
        filters={
          <Select.Root value={category === null ? everything : String(category)} onValueChange={choose}>
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
