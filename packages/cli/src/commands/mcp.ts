// Tested by mcp.test.ts.
import { Command } from 'commander'
import { tell } from '../output.js'
import { version } from '../version.js'
import { withExample } from './options.js'

interface Options {
  readonly models?: readonly string[]
  readonly config?: string
}

/** `rowkey mcp` */
export function mcpCommand(): Command {
  const command = new Command('mcp')
    .summary('the same for an assistant: a server of MCP on stdin and stdout')
    .description(
      'Serves lint, layout, explain, decode and ddl to an assistant by the Model Context Protocol, on stdin and stdout. It reads models, and writes and ' +
        'opens nothing: no store, no network.',
    )
    .option('-m, --models <file...>', 'files with models, instead of those of the config')
    .option('--config <file>', 'the config; by default the nearest rowkey.config.{ts,mts,js,mjs,json}')
    .action(async ({ models = [], config }: Options) => {
      const [{ McpServer }, { StdioServerTransport }, { answerOf }, { tools }] = await Promise.all([
        import('@modelcontextprotocol/server'),
        import('@modelcontextprotocol/server/stdio'),
        import('../mcp/answer.js'),
        import('../mcp/tools.js'),
      ])
      const server = new McpServer({ name: 'rowkey', version: version() })
      const options = [...models.map((file) => `--models=${file}`), ...(config === undefined ? [] : [`--config=${config}`])]
      for (const tool of tools) {
        const { name, description, input } = tool
        const annotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }
        server.registerTool(name, { description, inputSchema: input, annotations }, (given) => answerOf(tool, given, options))
      }
      await server.connect(new StdioServerTransport())
      if (process.stdin.isTTY)
        tell('rowkey mcp speaks JSON-RPC on stdin and stdout. Name it in the settings of an assistant; Ctrl-C ends it.')
    })
  return withExample(command, 'rowkey mcp < /dev/null')
}
