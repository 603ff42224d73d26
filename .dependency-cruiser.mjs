const anyAdapter = 'adapters/[^/]+'
const anyClient = 'clients/[^/]+'
const room = (name) => `packages/rowkey/src/${name}`

// Imports go downwards only, see ARCHITECTURE.md. Each layer names all it may import; the rest is forbidden.
export const layers = {
  [room('codec')]: [],
  [room('formats')]: [room('codec')],
  [room('model')]: [room('codec')],
  [room('store')]: [room('model'), room('codec')],
  [room('record')]: [room('store/adapter'), room('model'), room('codec')],
  [room('memory')]: [room('store/adapter')],
  [room('mapper')]: [room('store'), room('model'), room('codec')],
  [room('conformance')]: [room('mapper'), room('store'), room('model'), room('codec')],
  'packages/rowkey': ['codec', 'formats', 'model', 'store', 'record', 'memory', 'mapper', 'conformance'].map(room),
  'packages/codec': ['packages/rowkey'],
  'packages/advisor': ['packages/rowkey'],
  'packages/nestjs': ['packages/rowkey'],
  'packages/cli': [anyAdapter, anyClient, 'packages/advisor', 'packages/rowkey'],
}

/** A client speaks a store's protocol and knows nothing of rowkey. */
export const clientLayer = []

export const adapterLayer = [anyClient, room('formats'), room('adapter.ts')]

const isRoom = (folder) => folder.startsWith(room(''))

/** What is imported of a room or a package from outside: its entries. */
function entryOf(below) {
  if (below.endsWith('.ts')) return `^${below}$`
  if (isRoom(below)) return `^${below}/[^/]*/?(index|internal)[.]ts$`
  if (below !== 'packages/rowkey') return `^${below}/src/index[.]ts$`
  return `^${below}/src/((index|internal|adapter)|(codec|conformance|formats/[^/]+)/index)[.]ts$`
}

const layer = (name, folder, below) => ({
  name,
  severity: 'error',
  // Of `rowkey` itself there are only its entries, next to its rooms.
  from: { path: folder === 'packages/rowkey' ? `^(${folder})/src/[^/]+[.]ts$` : `^(${folder}${isRoom(folder) ? '' : '/src'})/` },
  // `$1` is the folder itself, also where the rule speaks of many.
  to: {
    path: '^(packages|adapters|clients|test|examples|bench)/',
    pathNot: [folder === 'packages/rowkey' ? '^$1/src/[^/]+[.]ts$' : '^$1/', ...below.map(entryOf)],
  },
})

export default {
  forbidden: [
    ...Object.entries(layers).map(([folder, below]) =>
      layer(`layer-${folder.replace(/^packages\//, '').replace('/src/', '/')}`, folder, below),
    ),
    layer('layer-adapters', anyAdapter, adapterLayer),
    layer('layer-clients', anyClient, clientLayer),
    {
      name: 'barrel-only-from-outside',
      comment: 'Inside a room or a package its own index.ts is not imported: that makes cycles.',
      severity: 'error',
      from: {
        path: '^(packages/rowkey/src/[^/]+|(?:packages|adapters|clients)/[^/]+/src)/',
        pathNot: '^packages/rowkey/src/[^/]+[.]ts$',
      },
      to: { path: '^$1/[^/]*/?(index|internal)[.]ts$' },
    },
    {
      name: 'one-sender',
      comment: 'Every write passes the sender of the mapper, so that what belongs to a write has one place.',
      severity: 'error',
      from: {
        path: '^packages/rowkey/src/',
        pathNot: `^(${room('mapper')}/table/(?:sender|upkeep|exact-writes)|${room('internal')})[.]ts$`,
      },
      to: { path: `^${room('store')}/write/index[.]ts$` },
    },
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-node-below-adapters',
      comment: 'rowkey and the advisor run in browsers and workers too, and the suite that proves adapters runs under any runner.',
      severity: 'error',
      from: { path: '^packages/(rowkey|codec|advisor)/src/' },
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
