import type { Command } from 'commander'
import type { BudgetKind } from '../../shared/core/contracts/curve.ts'
import { choiceOption } from '../choice-option.ts'
import { lookAt } from '../connect.ts'
import { formatCurves } from '../format-curves.ts'
import { addFigureOptions, type FigureOptions, printFigures } from '../print-figures.ts'
import type { Terminal } from '../terminal.ts'

type CurvesOptions = FigureOptions & { over: BudgetKind }

export function addCurvesCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('curves')
    .description("Show success as a function of an episode's budget, from the journals of one run or more.")
    .argument('<run...>', 'the runs; of several, the tasks they share')
    .addOption(
      choiceOption('--over <kind>', 'unit of the budget', ['calls', 'tokens', 'cost']).default('calls'),
    )
  addFigureOptions(command)
    .addHelpText('after', '\nExample: espalier curves run-0123 run-0124 --over cost --out curves.csv')
    .action(async (runs: string[], _: unknown, action: Command) => {
      const options = action.optsWithGlobals<CurvesOptions>()
      await lookAt(options, terminal, async ({ client }) => {
        const curves = await client.curves(runs, options.over)
        await printFigures(terminal, options, curves, () => formatCurves(curves, terminal.columns))
      })
    })
}
