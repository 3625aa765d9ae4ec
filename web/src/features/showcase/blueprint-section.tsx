import { Flex } from '@radix-ui/themes';
import { useState } from 'react';
import { BlueprintSteps } from '@/components/blueprint/blueprint-steps';
import { MessagePreview } from '@/components/blueprint/message-preview';
import { CodeEditor } from '@/components/code-editor/code-editor';
import { SortableList } from '@/components/sortable-list/sortable-list';
import { parseInputs } from '@/lib/blueprint-message';

const inputs = parseInputs('Region: North or South\nYear');

/** The parts of a blueprint: its code, its order, its message, its steps. */
export function BlueprintSection() {
  const [code, setCode] = useState(
    'import pandas as pd\n\nfor week in weeks:\n  print(week)  # one a line\n',
  );
  const [language, setLanguage] = useState('python');
  const [names, setNames] = useState(['Load', 'Compare', 'Tell']);
  return (
    <Flex direction="column" gap="5" maxWidth="720px">
      <CodeEditor label="Code" value={code} onChange={setCode} language={language} onLanguage={setLanguage} />
      <CodeEditor
        label="Code with something wrong"
        value=""
        onChange={() => undefined}
        language="sql"
        onLanguage={() => undefined}
        problem="Please enter code"
      />
      <SortableList
        label="Steps in order"
        entries={names.map((name) => ({ id: name, name }))}
        onMove={(from, to) => {
          const next = [...names];
          next.splice(to, 0, ...next.splice(from, 1));
          setNames(next);
        }}
      >
        {({ name }, _, handle) => (
          <Flex gap="3" align="center">
            {handle} {name}
          </Flex>
        )}
      </SortableList>
      <MessagePreview message="How is {{Region}} doing?" inputs={inputs} />
      <BlueprintSteps
        label="Steps to read"
        inputs={inputs}
        steps={[
          {
            id: 1,
            name: 'Load {{Region}}',
            agent: 'prism-1',
            detailedInstructions: 'Sum up {{Year}}.',
            qaInstructions: 'It adds up.',
            code: 'select 1',
            language: 'sql',
            memories: [{ id: 1, name: 'Net of returns' }],
          },
        ]}
      />
    </Flex>
  );
}
