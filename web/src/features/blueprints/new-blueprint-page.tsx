import { BlueprintEditor } from './blueprint-editor';

/** `/blueprints/new`: makes a blueprint. */
function NewBlueprintPage() {
  return <BlueprintEditor blueprint={null} />;
}

export { NewBlueprintPage as Component };
