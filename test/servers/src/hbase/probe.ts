import { request } from 'node:http'
import { ask, host } from '../loopback.js'
import type { Transport } from './site.js'

// The call listNamespaces() of Thrift's binary protocol, which the gateway can only answer through the master and its catalog table.
const name = Buffer.from('listNamespaces')
const call = Buffer.concat([Buffer.from([0x80, 1, 0, 1, 0, 0, 0, name.length]), name, Buffer.from([0, 0, 0, 1, 0])])
/** Where the answer's first field begins: after the header, the name and the number of the call. */
const at = 4 + 4 + name.length + 4

/** Rejects until a gateway answers. */
export async function probe(transport: Transport, port: number): Promise<void> {
  const answer = transport === 'http' ? await post(port) : transport === 'framed' ? await askFramed(port) : await ask(port, call)
  const isReply = answer[3] === 2 && answer[at] === 15
  if (!isReply) throw new Error('not ready')
}

async function askFramed(port: number): Promise<Buffer> {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(call.length)
  return (await ask(port, Buffer.concat([length, call]))).subarray(4)
}

function post(port: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const headers = { 'content-type': 'application/x-thrift', 'content-length': call.length }
    const posted = request({ host, port, method: 'POST', path: '/', agent: false, timeout: 2000, headers }, (response) => {
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve(Buffer.concat(chunks)))
      response.on('error', reject)
    })
    posted.on('timeout', () => posted.destroy(new Error('no answer')))
    posted.on('error', reject)
    posted.end(call)
  })
}
