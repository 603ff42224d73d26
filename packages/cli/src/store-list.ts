// Tested by ddl.test.ts.

/** What the command has to know of a store before its package is loaded, because most projects have one store. */
interface Listed {
  /** It exports `<name>Store`, the description, and `<name>()`, the adapter. Absent: it has no client, and is not opened. */
  readonly package?: string
  /** The schemes of its URLs; absent: its name. */
  readonly schemes?: readonly string[]
  /** Its URLs are paths, in which nothing but %HH in `///` means something. */
  readonly hasPaths?: true
  /** How its tools print rowkeys; absent: they print the columns of keys. */
  readonly printed?: PrintedKeys
  /** The options of its adapter that `ddl` takes. */
  readonly options?: readonly DdlOption[]
}

/** What a store keeps with a rowkey, which its tools print. Nothing: they print it as it is. */
export interface PrintedKeys {
  /** So many bytes before it are those of its table. */
  readonly prefix?: number
  /** Items have it in two attributes, the partition and the rest, by these names. */
  readonly attributes?: readonly (readonly [partition: string, sort: string])[]
  /** The first byte of both attributes; in items of the adapter itself it is `own`. */
  readonly tag?: number
  readonly own?: number
}

/** An option of a definition. */
export interface DdlOption {
  readonly flags: string
  readonly about: string
  readonly choices?: readonly string[]
  readonly isCount?: true
}

/** The one list of stores of the command. */
export const stores: Readonly<Record<string, Listed>> = {
  cassandra: {
    package: '@rowkey/cassandra',
    options: [{ flags: '--keyspace <name>', about: 'the keyspace; by default the one that is in use' }],
  },
  dynamodb: {
    package: '@rowkey/dynamodb',
    printed: {
      attributes: [
        ['rk_p', 'rk_s'],
        ['p', 's'],
      ],
      tag: 1,
      own: 0,
    },
    options: [{ flags: '--no-native-ttl', about: 'without UpdateTimeToLive' }],
  },
  hbase: {
    package: '@rowkey/hbase',
    printed: {},
    options: [
      { flags: '--namespace <name>', about: 'the namespace' },
      { flags: '--profile <name>', about: 'what the servers are', choices: ['hbase', 'lindorm'] },
    ],
  },
  kudu: {
    package: '@rowkey/kudu',
    options: [
      { flags: '--database <name>', about: 'begins the names of tables' },
      { flags: '--hash <count>', about: 'hash partitions of tables that say nothing of theirs', isCount: true },
    ],
  },
  redis: {
    package: '@rowkey/redis',
    schemes: ['redis', 'rediss'],
    printed: {},
    options: [{ flags: '--shards <count>', about: 'the shards of a table; 64 by default', isCount: true }],
  },
  memory: {},
  lmdb: { package: '@rowkey/lmdb', hasPaths: true, printed: { prefix: 4 } },
}

/** The names of all stores. */
export const storeNames: readonly string[] = Object.freeze(Object.keys(stores))

/** The schemes whose URLs are paths. */
export const pathSchemes: readonly string[] = storeNames.filter((name) => stores[name]?.hasPaths)

/** The name of the store that a scheme of a URL means. */
export const storeOfScheme = (scheme: string): string | undefined =>
  storeNames.find((name) => stores[name]?.package !== undefined && (stores[name].schemes ?? [name]).includes(scheme))

/** The schemes of all stores, for people. */
export const schemesText = (): string =>
  storeNames
    .flatMap((name) => (stores[name]?.package === undefined ? [] : (stores[name].schemes ?? [name])))
    .map((scheme) => `${scheme}:`)
    .join(', ')
