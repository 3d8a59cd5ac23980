import type { Command } from 'commander'
import { lookAt } from '../connect.ts'
import { formatReport } from '../format-report.ts'
import type { GlobalOptions } from '../global-options.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

type ReportOptions = GlobalOptions & { tasks?: boolean }

export function addReportCommand(program: Command, terminal: Terminal): void {
  program
    .command('report')
    .description('Report on a run: success, reward, effort and money, with 95 % intervals.')
    .argument('<run>', 'the run')
    .option('--tasks', 'task by task as well')
    .addHelpText('after', '\nExample: espalier report run-0123 --tasks')
    .action(async (run: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ReportOptions>()
      await lookAt(options, terminal, async ({ client }) => {
        const report = await client.report(run)
        printResult(terminal, options, report, () =>
          formatReport(report, { width: terminal.columns, tasks: options.tasks ?? false }),
        )
      })
    })
}
