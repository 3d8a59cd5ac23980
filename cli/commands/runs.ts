import type { Command } from 'commander'
import { lookAt } from '../connect.ts'
import { formatRuns } from '../format-run.ts'
import type { GlobalOptions } from '../global-options.ts'
import { parseNumber } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

type RunsOptions = GlobalOptions & { limit: number; after?: string }

export function addRunsCommand(program: Command, terminal: Terminal): void {
  program
    .command('runs')
    .description('List runs, newest first.')
    .option('--limit <n>', 'at most this many', parseNumber, 20)
    .option('--after <run>', 'only those after this one in the list')
    .addHelpText('after', '\nExample: espalier runs --limit 5')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<RunsOptions>()
      await lookAt(options, terminal, async ({ client }) => {
        const list = await client.runs({ limit: options.limit, after: options.after })
        printResult(terminal, options, list, () => formatRuns(list.data, terminal.columns))
        if (list.has_more) terminal.note(`There are more: espalier runs --after ${list.last_id}`)
      })
    })
}
