import { Button, Flex, SegmentedControl } from '@radix-ui/themes';
import { Library, Plus } from 'lucide-react';
import { Link } from 'react-router';
import { Page } from '@/components/page/page';
import { blueprintQuery, blueprintScopes } from '@/lib/blueprint';
import { paths } from '@/lib/paths';
import { useListAddress } from '@/lib/use-address';
import { blueprints as t } from '@/messages/blueprints';
import { BlueprintList } from './blueprint-list';
import styles from './blueprints.module.css';
import { NewBlueprintCard } from './new-blueprint-card';

/** `/blueprints`: every blueprint that this person may start. */
function BlueprintsPage() {
  const address = useListAddress();
  const { held, change } = address;
  const scope = blueprintScopes.find((one) => one === held.get('filter')) ?? 'all';
  return (
    <Page
      title={t('list')}
      subtitle={t('list.subtitle')}
      actions={
        <Flex gap="3">
          <Button asChild variant="soft">
            <Link to={paths.blueprintLibrary}>
              <Library size={16} /> {t('library.link')}
            </Link>
          </Button>
          <Button asChild>
            <Link to={paths.newBlueprint}>
              <Plus size={16} /> {t('new')}
            </Link>
          </Button>
        </Flex>
      }
    >
      <BlueprintList
        address={address}
        query={blueprintQuery({ scope })}
        showOwner
        empty={t(`empty.${scope}`)}
        first={<NewBlueprintCard />}
        filters={
          <div className={styles.filters}>
            <SegmentedControl.Root
              value={scope}
              onValueChange={(value) => change({ filter: value === 'all' ? null : value })}
              aria-label={t('list.filter')}
            >
              {blueprintScopes.map((value) => (
                <SegmentedControl.Item key={value} value={value}>
                  {t(`scope.${value}`)}
                </SegmentedControl.Item>
              ))}
            </SegmentedControl.Root>
          </div>
        }
      />
    </Page>
  );
}

export { BlueprintsPage as Component };
