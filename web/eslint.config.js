import js from '@eslint/js';
import checkFile from 'eslint-plugin-check-file';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import valtio from 'eslint-plugin-valtio';
import globals from 'globals';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist', 'dist-maps', 'node_modules', 'src/api/*.gen.ts'] },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: {
      globals: globals.browser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: {
      'react-hooks': reactHooks,
      'check-file': checkFile,
      valtio,
    },
    rules: {
      ...reactHooks.configs.recommended.rules,
      'valtio/state-snapshot-rule': 'error',
      'valtio/avoid-this-in-proxy': 'error',
      'check-file/filename-naming-convention': [
        'error',
        { '**/*.{ts,tsx}': 'KEBAB_CASE' },
        { ignoreMiddleExtensions: true },
      ],
      'check-file/folder-naming-convention': ['error', { 'src/**/': 'KEBAB_CASE' }],
      // A default branch is a decision for all the rest, and says so where it stands.
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // React's event props take void functions; an async handler that reports its own failure is fine there.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      // Prettier breaks the rest; regular expressions, texts and directives cannot be broken.
      'max-len': [
        'error',
        {
          code: 140,
          ignoreStrings: true,
          ignoreTemplateLiterals: true,
          ignoreRegExpLiterals: true,
          ignorePattern: 'eslint-disable',
        },
      ],
      // Branches of one function; generated files are ignored above.
      complexity: ['error', 25],
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true } }],
      'no-restricted-globals': ['error', { name: 'fetch', message: 'go through src/api/client.ts' }],
      'no-restricted-imports': [
        'error',
        {
          name: '@radix-ui/themes',
          importNames: ['Tooltip'],
          message: 'components/tooltip comes when needed',
        },
      ],
    },
  },
  { files: ['**/*.tsx'], ...jsxA11y.flatConfigs.strict },
  {
    // In the app, imports are one block. End-to-end tests and scripts separate packages from their own files.
    files: ['src/**'],
    rules: {
      'padding-line-between-statements': ['error', { blankLine: 'never', prev: 'import', next: 'import' }],
    },
  },
  {
    // The one place that talks HTTP, and the scripts that stand outside the app.
    files: ['src/api/**', 'src/testing/**', '**/*.test.{ts,tsx}', 'e2e/**', 'scripts/**'],
    rules: { 'no-restricted-globals': 'off' },
  },
  {
    files: ['**/*.test.{ts,tsx}', 'e2e/**', 'src/testing/**'],
    rules: {
      'max-lines': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    // Tools read their configuration as a default export.
    files: ['vite.config.ts', 'vitest.{e2e,measure}.config.ts', 'eslint.config.js'],
    rules: { 'no-restricted-exports': 'off' },
  },
  { files: ['**/*.{js,cjs}'], languageOptions: { globals: globals.node } },
);
