import { BlueprintEditor } from './blueprint-editor';
import { OneBlueprint } from './one-blueprint';

/** `/blueprints/{id}/edit`: changes a blueprint. Others than its owner see the form and change nothing. */
function BlueprintEditPage() {
  return <OneBlueprint isFresh>{(blueprint) => <BlueprintEditor blueprint={blueprint} />}</OneBlueprint>;
}

export { BlueprintEditPage as Component };
