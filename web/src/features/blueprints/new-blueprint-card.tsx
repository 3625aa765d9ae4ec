import { AddCard } from '@/components/entity-list/add-card';
import { paths } from '@/lib/paths';
import { blueprints as t } from '@/messages/blueprints';

/** The card at the front of the list that makes a blueprint. */
export function NewBlueprintCard() {
  return <AddCard label={t('add')} to={paths.newBlueprint} />;
}
