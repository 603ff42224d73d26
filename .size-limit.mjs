// What parts of rowkey add to a page, min+gzip. Of the built package: pnpm build.
const dist = 'packages/rowkey/dist/'

/** What the smallest bundle is made of, printed by source, largest first, in bytes without gzip. */
const contents = (config) => ({ ...config, plugins: [{ name: 'contents', setup: (build) => build.onEnd(print) }] })

function print({ metafile }) {
  const files = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs))
  const used = files.filter(([path, { bytesInOutput }]) => path.startsWith(dist) && bytesInOutput > 0)
  console.log(used.map(([path, { bytesInOutput }]) => `${bytesInOutput} ${path.slice(dist.length)}`).join(', '))
}

export default [
  {
    name: '{ keyLayout, text, int64 } of rowkey/codec',
    path: `${dist}codec.js`,
    import: '{ keyLayout, text, int64 }',
    limit: '15.1 kB',
    gzip: true,
    modifyEsbuildConfig: contents,
  },
  { name: 'all of rowkey/codec', path: `${dist}codec.js`, import: '*', gzip: true },
  { name: 'all of rowkey/formats/kudu', path: `${dist}formats/kudu.js`, import: '*', gzip: true },
  { name: 'all of rowkey/formats/hbase', path: `${dist}formats/hbase.js`, import: '*', gzip: true },
  { name: 'all of rowkey', path: `${dist}index.js`, import: '*', gzip: true },
]
