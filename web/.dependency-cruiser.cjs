/** The floors of the web as rules: imports only go down, rooms on one floor are strangers. */
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'features-are-strangers',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/', pathNot: '^src/features/$1/' },
    },
    {
      name: 'features-know-no-app',
      severity: 'error',
      from: { path: '^src/features/' },
      to: { path: '^src/app/' },
    },
    {
      name: 'stores-know-no-view',
      severity: 'error',
      from: { path: '^src/stores/' },
      to: { path: '^src/(app|features|components)/' },
    },
    {
      name: 'stores-are-strangers',
      severity: 'error',
      // A store that outgrows one file is a folder, whose files know each other.
      from: {
        path: '^src/stores/([^/]+)',
        pathNot: '(stream-bindings|base-data|begin-with-question|begin-with-blueprint|[.]test)[.]ts$',
      },
      to: { path: '^src/stores/', pathNot: '^src/stores/$1/' },
    },
    {
      name: 'components-are-pure',
      severity: 'error',
      from: { path: '^src/components/' },
      to: {
        path: '^src/(app|features|stores|api|stream)/|node_modules/valtio/',
        pathNot: '(wire|limits)[.]gen[.]ts$',
      },
    },
    {
      name: 'only-stores-talk-to-the-server',
      severity: 'error',
      from: { path: '^src/(app|features|components)/' },
      to: { path: '^src/(api|stream)/', pathNot: '(wire|limits)[.]gen[.]ts$' },
    },
    {
      name: 'ground-floor',
      severity: 'error',
      from: { path: '^src/(api|stream|lib|messages)/' },
      to: { path: '^src/(app|features|stores|components)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
};
