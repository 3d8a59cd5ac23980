import type { Command } from 'commander'
import { wrongUsage } from '../command-error.ts'
import { lookAt } from '../connect.ts'
import { formatLeaderboard } from '../format-leaderboard.ts'
import type { GlobalOptions } from '../global-options.ts'
import { collect } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

export function addLeaderboardCommand(program: Command, terminal: Terminal): void {
  program
    .command('leaderboard')
    .description('Methods × environments of an experiment or of some runs: intervals, costs, paired tests.')
    .argument('[run...]', 'runs, in place of an experiment')
    .option('--experiment <name>', 'the runs of this experiment')
    .option('--tag <word>', 'the runs with this tag; may be given several times', collect)
    .addHelpText('after', '\nExample: espalier leaderboard --experiment search-depth')
    .action(async (runs: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { experiment?: string; tag?: string[] }>()
      const { experiment, tag: tags } = options
      const isSelected = experiment !== undefined || tags !== undefined
      if (runs.length > 0 === isSelected) {
        throw wrongUsage('Give --experiment or --tag, or the runs; `espalier experiments` lists experiments.')
      }
      const selection = {
        ...(experiment !== undefined && { experiment }),
        ...(tags !== undefined && { tags }),
        ...(runs.length > 0 && { runs }),
      }
      await lookAt(options, terminal, async ({ client }) => {
        const leaderboard = await client.leaderboard(selection)
        printResult(terminal, options, leaderboard, () => formatLeaderboard(leaderboard, terminal.columns))
      })
    })
}
