import { BlueprintEditor } from './blueprint-editor';
import { OneBlueprint } from './one-blueprint';

/** `/blueprints/{id}/edit`: changes a blueprint. All but its owner see the form and cannot change it. */
function BlueprintEditPage() {
  return <OneBlueprint isFresh>{(blueprint) => <BlueprintEditor blueprint={blueprint} />}</OneBlueprint>;
}

export { BlueprintEditPage as Component };
