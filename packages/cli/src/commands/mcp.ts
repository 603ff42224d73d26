import type { Command } from 'commander'
import type { Run, Shell } from '../shell.js'
import { version } from '../version.js'
import { withExample } from './options.js'

interface Options {
  readonly models?: readonly string[]
  readonly config?: string
}

/** `rowkey mcp` */
export function mcpCommand(command: Command, shell: Shell, run: Run): Command {
  command
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
        server.registerTool(name, { description, inputSchema: input, annotations }, (given) => answerOf(tool, given, options, run, shell))
      }
      const closed = new Promise<void>((resolve) => {
        server.server.onclose = resolve
      })
      await server.connect(new StdioServerTransport(shell.stdin, shell.stdout))
      if (shell.stdin.isTTY)
        shell.tell('rowkey mcp speaks JSON-RPC on stdin and stdout. Name it in the settings of an assistant; Ctrl-C ends it.')
      await closed
    })
  return withExample(command, 'rowkey mcp < /dev/null')
}
