// What to install for a store, with each package manager: tarballs of this project, and the driver.

/** Packages with install scripts that need not run: pnpm fails unless it is told. */
const scripts = { lmdb: ['lmdb', 'msgpackr-extract'] }

/** The lines for each way to use the packages. `packed`: what packAll() returns. */
export function installLines(packed) {
  const adapters = packed.flatMap(({ name, folder }) => (folder.startsWith('adapters/') ? [name] : []))
  const lines = (title, names, isDriver) => ({ title, names, commands: commands(packed, names, isDriver) })
  return [
    lines('In memory only', ['rowkey']),
    lines('Keys only', ['@rowkey/codec']),
    ...adapters.map((name) => lines(name, ['rowkey', name], () => true)),
    lines('@rowkey/nestjs, in an application of NestJS', ['rowkey', '@rowkey/nestjs']),
    lines('Advice on keys, and the command rowkey', ['rowkey', '@rowkey/advisor', '@rowkey/cli']),
  ]
}

const byName = (packed) => new Map(packed.map((each) => [each.name, each]))

/** One line for each package manager. Each can be pasted alone. */
function commands(packed, names, isWanted = () => false) {
  const packages = withDependencies(byName(packed), names)
  const drivers = packages.flatMap(({ manifest }) => peersFromOutside(manifest)).filter(([name]) => isWanted(name))
  const files = packages.map(({ name, tarball }) => [name, `file:${tarball}`])
  const wanted = drivers.map(([name, range]) => `${name}@${newest(range)}`)
  const named = [...files.map(([name, file]) => `${name}@${file}`), ...wanted]
  // npm finds the packages that others need next to them. The others would look in the registry, also for what stands next to it.
  const resolutions = words('npm', 'pkg', 'set', ...files.map(([name, file]) => `resolutions.${name}=${file}`))
  const ignored = drivers.flatMap(([name]) => scripts[name] ?? [])
  const settings = [
    pnpmSetting('overrides', Object.fromEntries(files)),
    ...(ignored.length === 0 ? [] : [pnpmSetting('allowBuilds', Object.fromEntries(ignored.map((name) => [name, false])))]),
  ]
  return [
    words('npm', 'install', ...packages.map(({ tarball }) => tarball), ...wanted),
    [...settings, words('pnpm', 'add', ...named)].join(' && '),
    `${resolutions} && ${words('yarn', 'add', ...named)}`,
    `${resolutions} && ${words('bun', 'add', ...named)}`,
  ]
}

/** In the pnpm-workspace.yaml of the project, in place of what it says there. */
const pnpmSetting = (name, value) => words('pnpm', 'config', 'set', '--location=project', '--json', name, JSON.stringify(value))

/** The packages with those of this project that they need: a package manager would look for these in the registry. */
function withDependencies(known, names) {
  const found = new Map()
  const add = (name) => {
    const each = known.get(name)
    if (each === undefined || found.has(name)) return
    found.set(name, each)
    const { dependencies, peerDependencies = {}, peerDependenciesMeta = {} } = each.manifest
    const peers = Object.keys(peerDependencies).filter((peer) => peerDependenciesMeta[peer]?.optional !== true)
    for (const needed of [...Object.keys(dependencies ?? {}), ...peers]) add(needed)
  }
  names.forEach(add)
  return [...found.values()]
}

const isOwn = (name) => name === 'rowkey' || name.startsWith('@rowkey/')

/** The packages of others that an application installs next to a package, with their ranges. */
export function peersFromOutside({ peerDependencies = {}, peerDependenciesMeta = {} }) {
  return Object.entries(peerDependencies).filter(([name]) => !isOwn(name) && peerDependenciesMeta[name]?.optional !== true)
}

/** The newest major version of a range like `^5.11.0 || ^6.0.0`. */
const newest = (range) => range.split('||').at(-1).trim()

const words = (...all) => all.map(quoted).join(' ')

/** As a word of a shell: in single quotes if it has other characters than those of simple paths and ranges. */
const quoted = (word) => (/^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`)
