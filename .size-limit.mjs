// What the codec adds to a page, min+gzip. Of the built packages: pnpm build.
const dist = 'packages/codec/dist/'
const formats = 'packages/formats/dist/'

/** Salts and kinds of columns: not in a bundle that names none of them. */
const others = [
  /^salts\/(?!salt)/,
  /^columns\/(?!text|bytes|integers|number-spelling)/, // text is in the escape of bytes
  /^(index|internal|hex)\.js$/,
]

/** Prints the modules of the bundle, largest first, in bytes without gzip, and fails the build if one of `unwanted` is among them. */
const contents = (unwanted) => (config) => ({ ...config, plugins: [{ name: 'contents', setup: (build) => build.onEnd(look(unwanted)) }] })

const look =
  (unwanted) =>
  ({ metafile }) => {
    const modules = Object.values(metafile.outputs)
      .flatMap(({ inputs }) => Object.entries(inputs))
      .filter(([path, { bytesInOutput }]) => path.startsWith(dist) && bytesInOutput > 0)
      .map(([path, { bytesInOutput }]) => ({ name: path.slice(dist.length), bytes: bytesInOutput }))
      .sort((a, b) => b.bytes - a.bytes)
    console.log(modules.map(({ name, bytes }) => `${bytes} ${name}`).join(', '))
    const found = modules.filter(({ name }) => unwanted.some((pattern) => pattern.test(name)))
    return { errors: found.map(({ name }) => ({ text: `${name} is in a bundle that does not use it` })) }
  }

export default [
  {
    name: '{ keyLayout, text, int64 } of @rowkey/codec',
    path: `${dist}index.js`,
    import: '{ keyLayout, text, int64 }',
    limit: '14.5 kB',
    gzip: true,
    modifyEsbuildConfig: contents(others),
  },
  { name: 'all of @rowkey/codec', path: `${dist}index.js`, import: '*', gzip: true },
  { name: 'all of @rowkey/formats/kudu', path: `${formats}kudu/index.js`, import: '*', gzip: true },
  { name: 'all of @rowkey/formats/hbase', path: `${formats}hbase/index.js`, import: '*', gzip: true },
]
