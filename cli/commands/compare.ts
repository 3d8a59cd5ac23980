import type { Command } from 'commander'
import { lookAt } from '../connect.ts'
import { formatComparison } from '../format-report.ts'
import type { GlobalOptions } from '../global-options.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

export function addCompareCommand(program: Command, terminal: Terminal): void {
  program
    .command('compare')
    .description('Compare runs on the tasks they share, each with the first, paired by task.')
    .argument('<run...>', 'two runs or more')
    .addHelpText('after', '\nExample: espalier compare run-0123 run-0124')
    .action(async (runs: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      await lookAt(options, terminal, async ({ client }) => {
        const comparison = await client.compare(runs)
        printResult(terminal, options, comparison, () => formatComparison(comparison, terminal.columns))
      })
    })
}
