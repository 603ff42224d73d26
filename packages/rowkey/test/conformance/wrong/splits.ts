import type { Page } from '#store/adapter'
import { mapped, wrongReads, type Wrong } from './wrong.js'

/** The ends of a split of memory: rowkeys in base64, after a mark. */
const endsOf = (split: string): readonly [after: string, upTo: string] => split.slice(1).split('.') as [string, string]
const splitOf = (after: string, upTo: string): string => `\u0100${after}.${upTo}`

/** A memory adapter with its splits changed. */
const wrongSplits = (mistake: string, caughtBy: string, change: (splits: readonly string[]) => readonly string[]): Wrong =>
  wrongReads(mistake, caughtBy, (store) => ({
    splits: (count, options) => change(store.splits?.(count, options) as readonly string[]),
  }))

/** A memory adapter with the checkpoints of splits changed, on the way in or on the way out. */
const wrongCheckpoints = (
  mistake: string,
  caughtBy: string,
  change: { given?(checkpoint: string): string | undefined; returned?(checkpoint: string): string },
): Wrong =>
  wrongReads(mistake, caughtBy, (store) => ({
    fullScan(checkpoint, options) {
      const given = checkpoint === undefined || change.given === undefined ? checkpoint : change.given(checkpoint)
      const { returned } = change
      return mapped(store.fullScan(given, options), (page): Page => {
        if (page.checkpoint === undefined || returned === undefined) return page
        return { ...page, checkpoint: returned(page.checkpoint) }
      })
    },
  }))

export const wrongSplitting: readonly Wrong[] = [
  wrongSplits('splits overlap: each begins where the one before begins', 'ADAPTER-15', (splits) =>
    splits.map((split, i) => splitOf(endsOf(splits[Math.max(0, i - 1)] as string)[0], endsOf(split)[1])),
  ),
  wrongSplits('between two splits there is a gap', 'ADAPTER-15', (splits) =>
    splits.length < 3 ? splits : splits.filter((_, i) => i !== 1),
  ),
  wrongSplits('splits leave out what comes before the first end', 'ADAPTER-15', (splits) => splits.slice(splits.length > 1 ? 1 : 0)),
  wrongSplits('there is one split too many', 'ADAPTER-15', (splits) => [...splits, splitOf(endsOf(splits.at(-1) as string)[0], '')]),
  wrongSplits('an empty table has no split', 'ADAPTER-15', (splits) => (splits.length === 1 ? [] : splits)),
  wrongCheckpoints('a split goes on to the end of the table', 'ADAPTER-15', {
    given: (checkpoint) => (checkpoint.startsWith('\u0100') ? splitOf(endsOf(checkpoint)[0], '') : checkpoint),
  }),
  wrongCheckpoints('the checkpoints of a split forget its end', 'ADAPTER-15', {
    returned: (checkpoint) => (checkpoint.startsWith('\u0100') ? atob(endsOf(checkpoint)[0]) : checkpoint),
  }),
  wrongCheckpoints('the last row of a split is lost', 'ADAPTER-15', {
    given(checkpoint) {
      const [after = '', upTo = ''] = checkpoint.startsWith('\u0100') ? endsOf(checkpoint) : []
      return upTo === '' ? checkpoint : splitOf(after, btoa(atob(upTo).slice(0, -1)))
    },
  }),
  wrongCheckpoints('a split starts over at every checkpoint', 'SCAN-12', {
    given: (checkpoint) =>
      checkpoint.startsWith('\u0100') && endsOf(checkpoint)[1] !== '' ? splitOf('', endsOf(checkpoint)[1]) : checkpoint,
  }),
  wrongCheckpoints('the checkpoints of a split are long', 'ADAPTER-15', {
    returned: (checkpoint) => (checkpoint.startsWith('\u0100') ? `${checkpoint}${'='.repeat(5000)}` : checkpoint),
    given: (checkpoint) => checkpoint.replace(/={3,}$/, ''),
  }),
]
