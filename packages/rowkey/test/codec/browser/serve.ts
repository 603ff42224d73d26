import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vectorModule } from './vectors.js'

/** One page to be opened. */
export interface Visit {
  /** The first part of its path: everything below it has its policy. */
  readonly name: string
  readonly policy: string | undefined
  readonly codegen: 'auto' | 'never'
  readonly worker: boolean
}

const script = new URL('./host/page.mjs', import.meta.url)
const folders = { rowkey: new URL('../../../dist/', import.meta.url), host: new URL('.', script) }

/** Serves the built codec and formats as they are, on a free port of this machine. Each page posts what came out and is sent to the next one. */
export async function serve(visits: readonly Visit[]): Promise<{ url: string; results: Promise<Map<string, unknown>>; close(): void }> {
  const server = createServer()
  const results = new Promise<Map<string, unknown>>((resolve, reject) => {
    const collected = new Map<string, unknown>()
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      answer(visits, collected, request, response).then(
        () => {
          if (collected.size === visits.length) resolve(collected)
        },
        (error: unknown) => {
          response.writeHead(500).end()
          reject(error)
        },
      )
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/${visits[0]?.name ?? ''}/`, results, close: () => server.close().closeAllConnections() }
}

async function answer(
  visits: readonly Visit[],
  collected: Map<string, unknown>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, name = '', path = ''] = /^\/([^/]*)\/([^?]*)/.exec(request.url ?? '') ?? []
  const at = visits.findIndex((visit) => visit.name === name)
  const visit = visits[at]
  if (visit === undefined) return void response.writeHead(404).end()
  if (visit.policy !== undefined) response.setHeader('Content-Security-Policy', visit.policy)
  if (path === 'result') {
    collected.set(name, JSON.parse(await textOf(request)))
    const next = visits[at + 1]
    response.end(next === undefined ? 'about:blank' : `/${next.name}/`)
  } else if (path === '') {
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(pageOf(visit))
  } else {
    response.setHeader('Content-Type', 'text/javascript; charset=utf-8').end(moduleAt(path))
  }
}

const pageOf = ({ codegen, worker }: Visit): string =>
  `<!doctype html><title>codec</title><script type="module" src="host/page.mjs?codegen=${codegen}${worker ? '&worker' : ''}"></script>`

function moduleAt(path: string): string {
  if (path === 'vectors.mjs') return vectorModule
  const [, folder = '', file = ''] = /^(rowkey|host)\/([\w./-]+\.m?js)$/.exec(path) ?? []
  if (file === '' || file.includes('..')) throw new Error(`a page asked for ${path}`)
  return readFileSync(new URL(file, folders[folder as keyof typeof folders]), 'utf8')
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
