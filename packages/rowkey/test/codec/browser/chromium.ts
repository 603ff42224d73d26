import { spawn } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { tmpdir } from 'node:os'

/** The browser, or undefined where there is none. `.ci/run` installs one and sets ROWKEY_REQUIRE_CHROMIUM. */
export const chromium: string | undefined = ['chromium', 'chromium-browser', 'google-chrome']
  .flatMap((name) => (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name)))
  .find(isExecutable)

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const flags = [
  '--headless=new',
  '--no-sandbox', // it needs a user other than root, and name spaces; the pages are our own
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--no-proxy-server',
  '--no-first-run',
  '--enable-logging=stderr', // what a page logs, for the error
]

/** Opens a page in a browser of its own until `done` is settled, at most so long. */
export async function browse<T>(url: string, done: Promise<T>, milliseconds: number): Promise<T> {
  if (chromium === undefined) throw new Error('there is no Chromium on the PATH')
  const profile = mkdtempSync(join(tmpdir(), 'rowkey-chromium-'))
  const browser = spawn(chromium, [...flags, `--user-data-dir=${profile}`, url], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  browser.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4000)))
  const ended = new Promise<void>((resolve) => browser.on('close', () => resolve()).on('error', () => resolve()))
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => (timer = setTimeout(resolve, milliseconds, `took longer than ${milliseconds} ms`)))
  const failed = Promise.race([late, ended.then(() => 'ended by itself')]).then((how) => {
    throw new Error(`Chromium ${how} at ${url}. It said:\n${said}`)
  })
  try {
    return await Promise.race([done, failed])
  } finally {
    clearTimeout(timer)
    browser.kill()
    await ended
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 })
  }
}
