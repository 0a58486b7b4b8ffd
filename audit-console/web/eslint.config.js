// Faults that neither types nor Prettier show. Rules are on as their makers recommend them, as errors; what is left off has its reason here.
import js from '@eslint/js'
import reactHooks from 'eslint-plugin-react-hooks'
import { defineConfig } from 'eslint/config'
import globals from 'globals'
import tseslint from 'typescript-eslint'

export default defineConfig(
  { ignores: ['dist', 'shots', 'src/shared/api/schema.ts'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked, reactHooks.configs.flat.recommended],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // Taking a property out of an object is how the rest of it is named.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      // Advice about speed. The bar of the search follows the address and the server, which are outside of React.
      'react-hooks/set-state-in-effect': 'off',
    },
  },
  {
    // Methods of the compiler's host and of jsdom are put aside and replaced.
    files: ['test/**'],
    rules: { '@typescript-eslint/unbound-method': 'off' },
  },
  { files: ['**/*.{js,mjs}'], languageOptions: { globals: globals.node } },
  // Parts of it run in the browser.
  { files: ['dev/shots.mjs'], languageOptions: { globals: globals.browser } },
)
