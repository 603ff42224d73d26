import { after, wrongReads, type Wrong } from './wrong.js'

export const wrongGets: readonly Wrong[] = [
  wrongReads('get answers in another order', 'GET-2', (store) => ({
    get: (keys, options) => after(store.get(keys, options), (rows) => rows.toReversed()),
  })),
  wrongReads('get leaves out what is not there', 'GET-2', (store) => ({
    get: (keys, options) => after(store.get(keys, options), (rows) => rows.filter((row) => row !== undefined)),
  })),
  wrongReads('get answers a hundred keys at most', 'GET-1', (store) => ({
    get: (keys, options) => after(store.get(keys.slice(0, 100), options), (rows) => [...rows, ...keys.slice(100).map(() => undefined)]),
  })),
  wrongReads('keys with a zero byte are cut there', 'GET-1', (store) => ({
    get: (keys, options) =>
      store.get(
        keys.map((key) => key.map((value) => (typeof value === 'string' ? (value.split('\0')[0] ?? '') : value))),
        options,
      ),
  })),
]
