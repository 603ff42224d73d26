// What to install with npm for a store: tarballs of this project, and the driver.

const adapters = ['@rowkey/lmdb', '@rowkey/redis', '@rowkey/dynamodb', '@rowkey/cassandra']

/** One line for each way to use the packages. `packed`: what packAll() returns. */
export function installLines(packed) {
  const line = (title, names, isDriver) => ({ title, command: npmInstall(packed, names, isDriver) })
  return [
    line('In memory only', ['rowkey']),
    ...adapters.map((name) => line(name, ['rowkey', name], () => true)),
    line('@rowkey/nestjs, in an application of NestJS', ['rowkey', '@rowkey/nestjs']),
    line('Tests of an adapter of your own', ['rowkey', '@rowkey/conformance']),
  ]
}

function npmInstall(packed, names, isWanted = () => false) {
  const packages = withDependencies(new Map(packed.map((each) => [each.name, each])), names)
  const drivers = packages.flatMap(({ manifest }) => peersFromOutside(manifest)).filter(([name]) => isWanted(name))
  const tarballs = packages.map(({ tarball }) => quoted(tarball))
  return ['npm install', ...tarballs, ...drivers.map(([name, range]) => quoted(`${name}@${newest(range)}`))].join(' ')
}

/** The packages with those of this project that they need: npm would look for these in the registry. */
function withDependencies(byName, names) {
  const found = new Map()
  const add = (name) => {
    const each = byName.get(name)
    if (each === undefined || found.has(name)) return
    found.set(name, each)
    for (const needed of Object.keys({ ...each.manifest.dependencies, ...each.manifest.peerDependencies })) add(needed)
  }
  names.forEach(add)
  return [...found.values()]
}

const isOwn = (name) => name === 'rowkey' || name.startsWith('@rowkey/')

function peersFromOutside({ peerDependencies = {}, peerDependenciesMeta = {} }) {
  return Object.entries(peerDependencies).filter(([name]) => !isOwn(name) && peerDependenciesMeta[name]?.optional !== true)
}

/** The newest major version of a range like `^5.11.0 || ^6.0.0`. */
const newest = (range) => range.split('||').at(-1).trim()

/** As a word of a shell: in single quotes if it has other characters than those of simple paths and ranges. */
const quoted = (word) => (/^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`)
