#!/usr/bin/env node
import { endWithReader } from './end-with-reader.js'
import { run } from './run.js'

const { stdout, stderr, env } = process
env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true' // it would begin every output with a page
endWithReader(process)
process.exitCode = await run(process.argv.slice(2), {
  get stdin() {
    return process.stdin
  },
  stdout,
  stderr,
  env,
  get folder() {
    return process.cwd()
  },
  host: process,
})
