import type { Command } from 'commander'
import type { IntervalKind } from '../../shared/core/contracts/report.ts'
import { lookAt } from '../connect.ts'
import { formatComparison } from '../format-comparison.ts'
import { addFigureOptions, type FigureOptions, intervalOption, printFigures } from '../print-figures.ts'
import type { Terminal } from '../terminal.ts'

type CompareOptions = FigureOptions & { interval: IntervalKind }

export function addCompareCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('compare')
    .description('Compare each run with the first on their shared tasks, paired by task.')
    .argument('<run...>', 'two runs or more')
    .addOption(intervalOption())
  addFigureOptions(command)
    .addHelpText(
      'after',
      '\nExample: espalier compare run-0123 run-0124\n         espalier compare run-0123 run-0124 --format md',
    )
    .action(async (runs: string[], _: unknown, action: Command) => {
      const options = action.optsWithGlobals<CompareOptions>()
      await lookAt(options, terminal, async ({ client }) => {
        const comparison = await client.compare(runs, { interval: options.interval })
        await printFigures(terminal, options, comparison, () =>
          formatComparison(comparison, terminal.columns),
        )
      })
    })
}
