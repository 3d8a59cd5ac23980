import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { leastDollars, mostDollars } from '../../shared/core/contracts/limits.ts'
import { wrongUsage } from '../command-error.ts'
import type { GlobalOptions } from '../global-options.ts'
import { parseNumber } from '../parse-setting.ts'
import type { Terminal } from '../terminal.ts'
import { untilInterrupted } from '../until-interrupted.ts'

type McpOptions = GlobalOptions & { maxCost: number; readOnly?: boolean; skill?: boolean }

export function addMcpCommand(program: Command, terminal: Terminal): void {
  program
    .command('mcp')
    .description('Serve runs, reports, trees and failures as MCP tools for coding agents, over stdio.')
    .option('--max-cost <dollars>', 'cap on the total cost of the runs that it starts', parseNumber, 1)
    .option('--read-only', 'offer no tool that starts or changes anything')
    .option('--skill', 'print the skill file for coding agents and exit')
    .addHelpText(
      'after',
      '\nExample: espalier mcp --read-only\n         ESPALIER_API_KEY=… espalier mcp --service https://espalier.example --max-cost 5',
    )
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<McpOptions>()
      if (options.skill) {
        terminal.out(
          (await readFile(join(import.meta.dirname, '../skill/espalier/SKILL.md'), 'utf8')).trimEnd(),
        )
        return
      }
      const { maxCost } = options
      if (!(maxCost >= leastDollars && maxCost <= mostDollars))
        throw wrongUsage(`--max-cost ${maxCost}: give dollars, more than 0 and at most ${mostDollars}.`)
      await serveTools(options, terminal)
    })
}

// Standard output carries the protocol alone.
async function serveTools(options: McpOptions, terminal: Terminal): Promise<void> {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
  const { Allowance } = await import('../mcp/allowance.ts')
  const { openDesk } = await import('../mcp/desk.ts')
  const { openToolServer } = await import('../mcp/open-tool-server.ts')
  const desk = openDesk(options, terminal, new Allowance(options.maxCost))
  try {
    const server = await openToolServer(desk, { readOnly: options.readOnly ?? false, terminal })
    const gone = once(process.stdin, 'end')
    await server.connect(new StdioServerTransport())
    await Promise.race([gone, untilInterrupted(terminal)])
    await server.close()
  } finally {
    await desk.close()
  }
}
