import { describe, test } from 'vitest'
import { kudu } from '../../../test/servers/src/index.js'

/** Tests that start servers of their own. Where Kudu was not fetched they are one skipped test that says so, unless the run requires all servers. */
export function withKudu(name: string, suite: () => void): void {
  const missing = process.env['ROWKEY_REQUIRE_SERVERS'] === '1' ? undefined : kudu.missing()
  if (missing === undefined) describe(name, suite)
  else test(`${name}: ${missing}`, ({ skip }) => skip(missing))
}
