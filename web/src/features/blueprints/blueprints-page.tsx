import { Button, SegmentedControl } from '@radix-ui/themes';
import { Library } from 'lucide-react';
import { Link } from 'react-router';
import { Page } from '@/components/page/page';
import { blueprintQuery, blueprintScopes, type BlueprintScope } from '@/lib/blueprint';
import { paths } from '@/lib/paths';
import { useListAddress } from '@/lib/use-address';
import { BlueprintList } from './blueprint-list';
import styles from './blueprints.module.css';

const scopeLabels: Record<BlueprintScope, string> = {
  all: 'All',
  favorite: 'Favorite',
  owned: 'My blueprints',
  shared: 'Shared with me',
  recent: 'Recent',
};

const emptyTexts: Record<BlueprintScope, string> = {
  all: 'There is none that you may start yet.',
  favorite: 'Mark a blueprint with its star to find it here.',
  owned: 'Blueprints that you own stand here.',
  shared: 'Blueprints that others share with you stand here.',
  recent: 'Blueprints that you have started stand here.',
};

/** `/blueprints`: every blueprint that this person may start. */
function BlueprintsPage() {
  const address = useListAddress();
  const { held, change } = address;
  const scope = blueprintScopes.find((one) => one === held.get('filter')) ?? 'all';
  return (
    <Page
      title="Blueprints"
      subtitle="Prompts in steps, written once and started as often as you like."
      actions={
        <Button asChild variant="soft">
          <Link to={paths.blueprintLibrary}>
            <Library size={16} /> Library Blueprints
          </Link>
        </Button>
      }
    >
      <BlueprintList
        place="blueprints"
        address={address}
        query={blueprintQuery({ scope })}
        showOwner
        empty={emptyTexts[scope]}
        filters={
          <div className={styles.filters}>
            <SegmentedControl.Root
              value={scope}
              onValueChange={(value) => change({ filter: value === 'all' ? null : value })}
              aria-label="Filter blueprints"
            >
              {blueprintScopes.map((value) => (
                <SegmentedControl.Item key={value} value={value}>
                  {scopeLabels[value]}
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
