import { Button, Flex } from '@radix-ui/themes';
import { Library, Plus } from 'lucide-react';
import { Link } from 'react-router';
import { Page } from '@/components/page/page';
import { blueprintScopes } from '@/lib/blueprint';
import { paths } from '@/lib/paths';
import { useListQuery } from '@/lib/use-list-query';
import { blueprints as t } from '@/messages/blueprints';
import { LoadedBlueprints } from './loaded-blueprints';

const segments = blueprintScopes.map((value) => ({ value, label: t(`scope.${value}`) }));

/** `/blueprints`: every blueprint that this person may start. */
function BlueprintsPage() {
  const { query, change } = useListQuery({ segments: blueprintScopes });
  return (
    <Page
      wide
      title={t('list')}
      subtitle={t('list.subtitle')}
      actions={
        <Flex gap="3" wrap="wrap">
          <Button asChild variant="soft">
            <Link to={paths.blueprintLibrary}>
              <Library size={16} aria-hidden="true" /> {t('library.link')}
            </Link>
          </Button>
          <Button asChild>
            <Link to={paths.newBlueprint}>
              <Plus size={16} aria-hidden="true" /> {t('new')}
            </Link>
          </Button>
        </Flex>
      }
    >
      <LoadedBlueprints
        label={t('list')}
        narrowed={{ scope: query.segment }}
        query={query}
        onQuery={change}
        segments={segments}
        showOwner
        add={{ label: t('add'), to: paths.newBlueprint }}
        empty={t(`empty.${query.segment}`)}
      />
    </Page>
  );
}

export { BlueprintsPage as Component };
