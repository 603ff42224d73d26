const anyAdapter = 'adapters/[^/]+'
const anyClient = 'clients/[^/]+'

// Imports go downwards only, see ARCHITECTURE.md. Each layer names all it may import; the rest is forbidden.
export const layers = {
  'packages/codec': [],
  'packages/formats': ['packages/codec'],
  'packages/model': ['packages/codec'],
  'packages/store': ['packages/model', 'packages/codec'],
  'packages/record': ['packages/store/src/adapter', 'packages/model', 'packages/codec'],
  'packages/mapper': ['packages/store', 'packages/model', 'packages/codec'],
  'packages/conformance': ['packages/mapper', 'packages/store', 'packages/model', 'packages/codec'],
  'packages/advisor': ['packages/store', 'packages/model', 'packages/codec'],
  'packages/rowkey': ['packages/mapper', 'packages/store', 'packages/model', 'packages/codec', 'adapters/memory'],
  'packages/nestjs': ['packages/rowkey'],
  'packages/cli': [anyAdapter, anyClient, 'packages/advisor', 'packages/mapper', 'packages/store', 'packages/model', 'packages/codec'],
}

/** What is imported of a package from outside: an entry of its exports, or of a folder that is named alone. */
const entryOf = (below) => (below.includes('/src/') ? `^${below}/index[.]ts$` : `^${below}/src/[^/]*/?(index|internal)[.]ts$`)

/** A client speaks a store's protocol and knows nothing of rowkey. */
export const clientLayer = []

export const adapterLayer = [anyClient, 'packages/formats', 'packages/record', 'packages/store/src/adapter']

const layer = (name, folder, below) => ({
  name,
  severity: 'error',
  from: { path: `^(${folder})/src/` },
  // `$1` is the folder itself, also where the rule speaks of many.
  to: { path: '^(packages|adapters|clients|test|examples|bench)/', pathNot: ['^$1/src/', ...below.map(entryOf)] },
})

export default {
  forbidden: [
    ...Object.entries(layers).map(([folder, below]) => layer(`layer-${folder.split('/')[1]}`, folder, below)),
    layer('layer-adapters', anyAdapter, adapterLayer),
    layer('layer-clients', anyClient, clientLayer),
    {
      name: 'barrel-only-from-outside',
      comment: 'Inside a package its own index.ts is not imported: that makes cycles.',
      severity: 'error',
      from: { path: '^(packages|adapters|clients)/[^/]+/src/' },
      to: { path: '^(packages|adapters|clients)/[^/]+/src/[^/]*/?(index|internal)[.]ts$', dependencyTypes: ['local'] },
    },
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-node-below-adapters',
      comment:
        'codec, formats, model, store, mapper and advisor run in browsers and workers too; the suite that proves adapters runs under any runner.',
      severity: 'error',
      from: { path: '^packages/(codec|formats|model|store|record|mapper|advisor|conformance)/src/' },
      to: { dependencyTypes: ['core'] },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: '(^|/)(node_modules|dist)/' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true, // imports of types count
    tsConfig: { fileName: 'tsconfig.base.json' },
    combinedDependencies: false,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['@rowkey/source', 'import', 'types', 'default'] },
  },
}
