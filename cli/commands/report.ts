import type { Command } from 'commander'
import type { IntervalKind } from '../../shared/core/contracts/report.ts'
import { lookAt } from '../connect.ts'
import { formatReport } from '../format-report.ts'
import { addFigureOptions, type FigureOptions, intervalOption, printFigures } from '../print-figures.ts'
import type { Terminal } from '../terminal.ts'

type ReportOptions = FigureOptions & { tasks?: boolean; interval: IntervalKind }

export function addReportCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('report')
    .description('Report on a run: success, pass@k, reward, effort and money, with 95 % intervals.')
    .argument('<run>', 'the run: its id, or latest')
    .option('--tasks', 'also report on each task')
    .addOption(intervalOption())
  addFigureOptions(command)
    .addHelpText(
      'after',
      '\nExample: espalier report run-0123 --tasks\n         espalier report run-0123 --out report.csv',
    )
    .action(async (run: string, _: unknown, action: Command) => {
      const options = action.optsWithGlobals<ReportOptions>()
      await lookAt(options, terminal, async ({ client }) => {
        const report = await client.report(run, { interval: options.interval })
        await printFigures(terminal, options, report, () =>
          formatReport(report, { width: terminal.columns, tasks: options.tasks ?? false }),
        )
      })
    })
}
