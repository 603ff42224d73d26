import { cassandra40 } from './cassandra/cassandra.js'
import { launchers } from './launchers.js'
import { isLong } from './scale.js'

// Brings what the tests of real servers need and this machine lacks. A server that cannot be had is named, and is a failure of the tests.
const forLongRuns = isLong ? [cassandra40] : []
for (const { name, fetch } of [...Object.values(launchers), ...forLongRuns]) {
  const began = performance.now()
  const result = await fetch().then(
    () => 'ready',
    (error: unknown) => `cannot be fetched: ${error instanceof Error ? error.message : String(error)}`,
  )
  console.log(`${name.padEnd(14)} ${result} (${((performance.now() - began) / 1000).toFixed(1)} s)`)
}
