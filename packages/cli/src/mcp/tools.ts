// Tested by mcp.test.ts.
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { nearestName, show } from 'rowkey/internal'
import { z } from 'zod'
import { printingStores } from '../keys/stored-key.js'
import { storeNames } from '../store-list.js'
import { judgedStores, knownFacts } from '../stores.js'
import { filledSchema, schemaForm } from './schema-form.js'

type Given = Readonly<Record<string, unknown>>

/** One tool: what it is called with, and the command that answers it. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly input: StandardSchemaWithJSON<Given>
  /** The arguments of the command. `file` writes JSON to a file that goes when the tool has answered. */
  command(given: Given, file: (json: unknown) => string): readonly string[]
}

/** An object that has no other fields: a misspelt one is refused with the nearest that exists. */
const only = <Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> =>
  z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined
      const [unknown = ''] = issue.keys
      const known = Object.keys(shape)
      const nearest = nearestName(unknown, known)
      const meant = nearest === undefined ? '' : ` Did you mean ${show(nearest)}?`
      return `there is no field ${show(unknown)}.${meant} There are: ${known.join(', ')}.`
    },
  })

const schemas = z.array(z.record(z.string(), z.unknown())).min(1).optional().describe(schemaForm)
const tables = z.array(z.string()).optional().describe('Names of tables or classes. Default: all')
const condition = z.union([
  z.enum(['=', 'gt', 'gte', 'lt', 'lte', 'startsWith', 'isNull']),
  z.tuple([z.enum(['gt', 'gte']), z.enum(['lt', 'lte'])]).describe('a range'),
  only({ in: z.number().int().min(1) }).describe('so many values'),
])

const bound = z.union([z.number(), z.string(), z.null()])

/** What `lint` takes as a file. */
const inputOf = (given: Given): Given =>
  Object.fromEntries(
    ['queries', 'writes', 'samples', 'storeOptions', 'kudu'].flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  )

/** A value that the schema of the tool has checked: text or a number. */
const textOf = (value: unknown): string => `${value as string | number}`
const option = (name: string, value: unknown): readonly string[] => (value === undefined ? [] : [`--${name}`, textOf(value)])
const models = ({ schemas: given }: Given, file: (json: unknown) => string): readonly string[] =>
  given === undefined ? [] : [`--models=${file((given as readonly Given[]).map(filledSchema))}`]
const named = ({ tables: names = [] }: Given): readonly string[] => ['--', ...(names as readonly string[])]

/** All tools. None of them writes, and none opens a store or a connection. */
export const tools: readonly Tool[] = [
  {
    name: 'lint',
    description:
      'Judges the keys of tables before they exist: hot spots, scans that read too much, long keys. Findings have numbers, a reason, the fix, ' +
      'and often the fix as a change of the schema. Give the queries and the load, because they decide.',
    input: only({
      schemas,
      tables,
      queries: z
        .array(
          only({
            table: z.string(),
            where: z.record(z.string(), condition).describe('Conditions without values, by column'),
            order: z.union([z.literal('reverse'), z.record(z.string(), z.enum(['asc', 'desc']))]).optional(),
            index: z.string().optional().describe('The index by which it scans'),
            span: z.string().optional().describe('How much time its range covers, such as 7d'),
            limit: z.number().int().min(1).optional(),
            size: z.number().int().min(1).optional().describe('Rows of a page'),
            consistency: z.enum(['strong', 'eventual']).optional(),
            perSecond: z.number().min(0).optional(),
          }),
        )
        .optional(),
      writes: z
        .array(
          only({
            table: z.string(),
            perSecond: only({
              inserts: z.number().min(0).optional(),
              updates: z.number().min(0).optional(),
              deletes: z.number().min(0).optional(),
            }).optional(),
            skew: z.number().min(0).optional().describe('Exponent of Zipf: 0 = even, 1 = usual'),
            distinct: z.record(z.string(), z.number().min(1)).optional().describe('Different values, by column'),
          }),
        )
        .optional(),
      samples: z
        .array(
          only({
            table: z.string(),
            rows: z.array(z.record(z.string(), z.unknown())).min(1),
            total: z.number().min(0).optional().describe('Rows of the whole table'),
            order: z.enum(['written', 'other']).optional().describe('written: as they were written, so that they tell what counts up'),
          }),
        )
        .optional()
        .describe('Sample rows: what they show beats what types suggest'),
      existing: z.array(z.record(z.string(), z.unknown())).min(1).optional().describe('Schemas of the tables that exist'),
      store: z.enum(judgedStores).optional(),
      storeOptions: z.record(z.string(), z.unknown()).optional().describe('Options of its adapter, such as { shards: 16 }'),
      servers: z.number().int().min(1).optional(),
      kudu: only({
        replicas: z.number().min(1).optional(),
        ranges: z
          .record(
            z.string(),
            only({ column: z.string(), bounds: z.array(z.tuple([bound, bound])).describe('From, and up to; null: no end') }),
          )
          .optional()
          .describe('Range partitions, by table'),
        encodings: z.record(z.string(), z.record(z.string(), z.string())).optional().describe('By table and column'),
      })
        .optional()
        .describe('What models do not say of tables in Kudu'),
    }),
    command: (given, file) => {
      const { store, servers, existing } = given
      const input = inputOf(given)
      return [
        'lint',
        ...models(given, file),
        ...(Object.keys(input).length === 0 ? [] : [`--queries=${file(input)}`]),
        ...(existing === undefined ? [] : [`--existing=${file(existing)}`]),
        ...option('store', store),
        ...option('servers', servers),
        ...named(given),
      ]
    },
  },
  {
    name: 'layout',
    description: 'The bytes of rowkeys: offset, width, order and end of each column, an example key, and the schema as JSON.',
    input: only({ schemas, tables }),
    command: (given, file) => ['layout', ...models(given, file), ...named(given)],
  },
  {
    name: 'explain',
    description: 'How a query reads its table: ranges, buckets, filters, warnings, or why it is refused. Reads no store.',
    input: only({
      schemas,
      table: z.string(),
      conditions: z.string().optional().describe("Such as: host = web-1 and at >= 2026-01-01 and kind in (a, b) and name like 'x%'"),
      order: z.string().optional().describe('Such as: at desc'),
      limit: z.number().int().min(1).optional(),
      store: z.enum(storeNames.toSorted()).optional(),
    }),
    command: (given, file) => [
      'explain',
      ...models(given, file),
      ...option('order', given['order']),
      ...option('limit', given['limit']),
      ...option('store', given['store']),
      '--',
      textOf(given['table']),
      ...(given['conditions'] === undefined ? [] : [textOf(given['conditions'])]),
    ],
  },
  {
    name: 'decode',
    description:
      'The values in rowkeys as they are pasted: hexadecimal digits, \\xHH text, base64, JSON of aws dynamodb, rows of shells, dumps; with find, inside log ' +
      'lines. Without a table every one is tried, and refusals say why. The answer is one JSON object a key, in their order.',
    input: only({
      schemas,
      table: z.string().optional(),
      keys: z.array(z.string()).min(1).describe('Such as ["0c7765622d3100007ffffe64892557ff"]; up to hundreds of thousands'),
      store: z.enum(printingStores).optional().describe('The store whose tools printed the keys'),
      find: z.boolean().optional().describe('Whether the texts are lines with keys inside'),
    }),
    command: (given, file) => [
      'decode',
      ...option('store', given['store']),
      ...(given['find'] === true ? ['--find'] : []),
      ...models(given, file),
      '--',
      ...(given['table'] === undefined ? [] : [textOf(given['table'])]),
      ...(given['keys'] as readonly string[]),
    ],
  },
  {
    name: 'ddl',
    description:
      'The definitions of tables in a store, as it takes them: CQL, requests, commands of a shell, or names of keys. Nothing is executed.',
    input: only({ schemas, tables, store: z.enum(storeNames.filter((name) => knownFacts(name)?.noDefinitions === undefined)) }),
    command: (given, file) => ['ddl', ...models(given, file), '--store', textOf(given['store']), ...named(given)],
  },
]
