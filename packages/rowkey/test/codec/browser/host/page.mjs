/* global fetch, document, location, setTimeout, Worker */
// Runs in a page, or in a worker that a page started, and posts what came out to the server that it is from.
import { work } from './work.mjs'

const { searchParams } = new URL(import.meta.url)
const served = (path) => new URL(`../${path}`, import.meta.url).href

const violations = []
globalThis.addEventListener('securitypolicyviolation', ({ blockedURI, violatedDirective }) => {
  violations.push(`${violatedDirective} ${blockedURI}`)
})

async function worked() {
  try {
    const [codec, kudu, hbase, { vectors }] = await Promise.all(
      ['rowkey/codec.js', 'rowkey/formats/kudu.js', 'rowkey/formats/hbase.js', 'vectors.mjs'].map((path) => import(served(path))),
    )
    const result = work({ codec, kudu, hbase }, vectors, searchParams.get('codegen'))
    await new Promise((resolve) => setTimeout(resolve, 200)) // violations are told in a task of their own
    return { host: typeof document === 'undefined' ? 'worker' : 'page', violations, ...result }
  } catch (error) {
    return { failed: `${error}\n${error?.stack}` }
  }
}

if (searchParams.has('worker')) {
  const worker = new Worker(new URL('?codegen=' + searchParams.get('codegen'), import.meta.url), { type: 'module' })
  worker.onmessage = ({ data }) => location.assign(data)
} else {
  const answer = await fetch(served('result'), { method: 'POST', body: JSON.stringify(await worked()) })
  const next = await answer.text()
  if (typeof document === 'undefined') globalThis.postMessage(next)
  else location.assign(next)
}
