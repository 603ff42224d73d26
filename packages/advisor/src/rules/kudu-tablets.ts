// Tested by rules.test.ts.
import { counted } from 'rowkey/internal'
import type { AdviceRule } from '../finding.js'
import { countsUp, keyColumns } from '../subject/columns.js'
import { hashBuckets, isKudu, rangesOf } from '../subject/kudu.js'
import { figure } from '../subject/subject.js'
import { mattersFrom, weightOn } from '../subject/weight.js'

// Source: Apache Kudu documentation 1.18, "Known issues and limitations": at most 60 tablets of a table for each server at its creation.
const perServer = 60

/** The number of tablets is the product of all levels. */
export const kuduTablets: AdviceRule = {
  code: 'kudu-tablets',
  stage: 'store',
  guides: ['G-77', 'G-93'],
  find(subject) {
    const { store } = subject
    const ranges = rangesOf(subject)
    if (!isKudu(subject) || store?.servers === undefined || (hashBuckets(subject) === 1 && ranges === undefined)) return []
    const { servers, kudu: { replicas = 3 } = {} } = store
    const buckets = hashBuckets(subject)
    const tablets = buckets * (ranges?.bounds.length ?? 1)
    const product = `${figure(buckets)} hash buckets x ${counted(ranges?.bounds.length ?? 1, 'range')} = ${figure(tablets)} tablets`
    const each = (tablets * replicas) / servers
    if (each > perServer) {
      return [
        {
          severity: 'warning',
          evidence: `${product}, x ${replicas} replicas / ${figure(servers)} servers = ${figure(each)} a server; Kudu takes ${perServer} of one table at its creation`,
          message: 'The table has too many tablets for so many servers.',
          fix: 'Use fewer buckets or longer ranges, and add ranges later.',
        },
      ]
    }
    // With ranges of time, new rows all go to the tablets of the last one.
    const ranged = keyColumns(subject).find(({ name }) => name === ranges?.column)
    const active = ranged !== undefined && countsUp(subject, ranged) !== undefined ? buckets : tablets
    if (active >= servers) return []
    const [level] = subject.schema.salt
    const wanted = level === undefined ? undefined : Math.ceil((level.count * servers) / active)
    return [
      {
        severity: weightOn(subject, active) === 'light' ? 'info' : 'warning',
        evidence: `${product}${active < tablets ? `, of which ${figure(active)} take new rows,` : ''} on ${figure(servers)} servers`,
        message: `Fewer tablets take new rows than there are servers, so some servers have nothing to do.${mattersFrom(subject, active)}`,
        fix: wanted === undefined ? 'Add a hash level.' : `Use ${figure(wanted)} buckets.`,
        ...(level === undefined || wanted === undefined
          ? {}
          : { change: { salt: subject.schema.salt.map((each, i) => (i === 0 ? { ...each, count: wanted } : each)) } }),
      },
    ]
  },
}
