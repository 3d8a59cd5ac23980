import type { Command } from 'commander'
import type { Leaderboard } from '../../shared/core/contracts/leaderboard.ts'
import { drawRadar } from '../../shared/insight/reports/leaderboard/draw-radar.ts'
import { wrongUsage } from '../command-error.ts'
import { lookAt } from '../connect.ts'
import { writeTextFile } from '../fill-folder.ts'
import { formatLeaderboard } from '../format-leaderboard.ts'
import type { GlobalOptions } from '../global-options.ts'
import { collect } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

export function addLeaderboardCommand(program: Command, terminal: Terminal): void {
  program
    .command('leaderboard')
    .description(
      'Rank methods by environment, over an experiment or some runs: intervals, costs, paired tests.',
    )
    .argument('[run...]', 'runs, instead of an experiment')
    .option('--experiment <name>', 'the runs of this experiment')
    .option('--radar <file.svg>', 'write AgentBoard’s radar of abilities, as an SVG image')
    .option('--tag <word>', 'the runs with this tag; may be given several times', collect)
    .addHelpText('after', '\nExample: espalier leaderboard --experiment search-depth')
    .action(async (runs: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<
        GlobalOptions & { experiment?: string; radar?: string; tag?: string[] }
      >()
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
        if (options.radar !== undefined) await writeRadar(options.radar, leaderboard, terminal)
        printResult(terminal, options, leaderboard, () => formatLeaderboard(leaderboard, terminal.columns))
      })
    })
}

async function writeRadar(file: string, leaderboard: Leaderboard, terminal: Terminal): Promise<void> {
  const image = drawRadar(leaderboard)
  if (image === null) {
    throw wrongUsage(
      'There is no radar: it needs comparable runs of a method, with a reward for every task, in each environment here that AgentBoard has too.',
    )
  }
  await writeTextFile(file, image)
  terminal.note(`Written to ${file}.`)
}
