import js from '@eslint/js'
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'

const belowMapper = ['packages/rowkey/src/{codec,formats,model,store,record,memory}/**/*.ts', 'adapters/*/src/**/*.ts']
const withoutNode = ['packages/{rowkey,codec}/src/**/*.ts']

// A later entry for the same rule replaces an earlier one, so what holds everywhere is repeated where more is forbidden.
const forbiddenEverywhere = [
  { selector: 'TSEnumDeclaration', message: 'Use a union of literals: enums do not erase.' },
  { selector: 'ExportDefaultDeclaration', message: 'Export by name.' },
]
const asyncGenerator = {
  selector: ':function[async=true][generator=true]',
  message: 'An await per row is too slow here: hand over pages. Only the mapper turns pages into rows.',
}

export default defineConfig(
  { ignores: ['.servers/**', '**/dist/', 'coverage/', '.test-report/', 'test/compat/program/', 'test/compat/mistakes/'] }, // they are an application's
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: { allowDefaultProject: ['vitest.config.ts'] }, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      'no-restricted-syntax': ['error', ...forbiddenEverywhere],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/consistent-type-exports': ['error', { fixMixedExportsWithInlineTypeSpecifier: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowNever: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // What was caught is handed on as it came.
      '@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingUnknown: true }],
      // Brackets say that the name is data and may be absent.
      '@typescript-eslint/dot-notation': ['error', { allowIndexSignaturePropertyAccess: true }],
      // tsc sees to it (noUnusedLocals, noUnusedParameters).
      '@typescript-eslint/no-unused-vars': 'off',
      // `as Row` after an index that is in range says what is there, `!` only that something is.
      '@typescript-eslint/non-nullable-type-assertion-style': 'off',
      // isolatedDeclarations wants the type of a public field on the left, elsewhere it stands on the right.
      '@typescript-eslint/consistent-generic-constructors': 'off',
      // Layouts and codecs are objects of closures, made to be taken apart.
      '@typescript-eslint/unbound-method': 'off',
      // Callers may be JavaScript: what comes in is checked against its type at run time.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-unnecessary-type-conversion': 'off',
      // An in-process engine keeps a contract of promises, and `async` turns what it throws into a rejection.
      '@typescript-eslint/require-await': 'off',
      // A type parameter that stands once can be what makes a call or a comparison of types infer.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
    },
  },
  {
    files: ['{packages,adapters,clients}/*/src/**/*.ts', '{examples,bench}/src/**/*.ts'],
    rules: {
      'max-lines': ['error', { max: 500 }],
    },
  },
  {
    files: belowMapper,
    rules: { 'no-restricted-syntax': ['error', ...forbiddenEverywhere, asyncGenerator] },
  },
  {
    files: withoutNode,
    rules: {
      'no-restricted-imports': ['error', { patterns: [{ regex: '^node:', message: 'This package also runs in browsers and workers.' }] }],
    },
  },
  {
    files: ['{test,packages/*/test,adapters/*/test,clients/*/test}/**/*.ts'],
    rules: {
      // Examples of the documentation are run as they stand there.
      '@typescript-eslint/no-implied-eval': 'off',
      // What is evaluated, parsed or matched in an expectation has no type.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      // Empty and odd classes are cases.
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/class-literal-property-style': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
      'no-sparse-arrays': 'off',
    },
  },
  {
    // NestJS: modules are classes without members, and its options are declared as classes.
    files: ['packages/nestjs/src/**/*.ts', 'examples/src/03-http-service/**/*.ts', 'packages/nestjs/test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
    },
  },
  {
    files: ['bench/src/**/*.ts'],
    rules: {
      // A loop or a literal of its own for each candidate, as applications have them, can only be made from text.
      '@typescript-eslint/no-implied-eval': 'off',
    },
  },
  {
    files: ['packages/rowkey/test/memory/**/*.ts'],
    rules: {
      // The in-process engine has written when the call returns, with or without `await`.
      '@typescript-eslint/no-floating-promises': [
        'error',
        { allowForKnownSafeCalls: [{ from: 'file', name: 'write', path: '../packages/rowkey/src/store/contract/adapter.ts' }] },
      ],
    },
  },
  {
    // Declarations that need only compile, or only fail to.
    files: ['test/types/**/*.ts'],
    rules: {
      '@typescript-eslint/ban-ts-comment': 'off',
      'no-unused-private-class-members': 'off',
    },
  },
  {
    files: ['*.config.{js,ts}', '.dependency-cruiser.mjs'],
    rules: { 'no-restricted-syntax': 'off' }, // their tools read the default export
  },
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: { globals: { console: 'readonly', process: 'readonly', URL: 'readonly', performance: 'readonly' } },
  },
)
