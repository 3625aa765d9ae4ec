import { BlueprintDetails } from './blueprint-details';
import { OneBlueprint } from './one-blueprint';

/** `/blueprints/{id}`: a blueprint to read and to start. */
function BlueprintPage() {
  return <OneBlueprint>{(blueprint) => <BlueprintDetails blueprint={blueprint} />}</OneBlueprint>;
}

export { BlueprintPage as Component };
