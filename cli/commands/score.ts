import type { Command } from 'commander'
import { formatCount } from '../../shared/client/format-quantity.ts'
import { interrupted, wrongUsage } from '../command-error.ts'
import { nextCommand } from '../command-name.ts'
import { lookAt } from '../connect.ts'
import { formatScore } from '../format-score.ts'
import type { GlobalOptions } from '../global-options.ts'
import { parseNumber } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import { openScorer } from '../scoring/open-scorer.ts'
import { type ScoringState, scoreEpisodes } from '../scoring/score-episodes.ts'
import { showLine } from '../show-line.ts'
import type { Terminal } from '../terminal.ts'

export type ScoreOptions = GlobalOptions & {
  name?: string
  scorer?: string
  limit?: number
  again?: boolean
  against: string
  threshold: number
}

export function addScoreCommand(program: Command, terminal: Terminal): void {
  program
    .command('score')
    .description('Score the ended episodes of a run again, without playing: a new score beside the reward.')
    .argument('<run>', 'the run')
    .option('--name <name>', 'the name of the score, such as careful')
    .option('--scorer <file>', 'a module that exports a function score(episode), which answers 0 to 1')
    .option('--limit <n>', 'only the first n episodes', parseNumber)
    .option('--again', 'also those for which this version of the scorer failed before')
    .option('--against <name>', 'what it is compared with: reward, or another score', 'reward')
    .option('--threshold <n>', 'from which value on a score is positive', parseNumber, 0.5)
    .addHelpText(
      'after',
      '\nWithout a scorer it shows what the score came to.\nExample: espalier score run-0123 --name short --scorer ./short.ts',
    )
    .action(async (run: string, _: unknown, command: Command) => {
      await score(run, command.optsWithGlobals<ScoreOptions>(), terminal)
    })
}

async function score(id: string, options: ScoreOptions, terminal: Terminal): Promise<void> {
  const { against, name, scorer: file, threshold } = options
  if (name === undefined) throw wrongUsage('Name the score: --name, such as --name careful.')
  const scorer = file === undefined ? null : await openScorer(file)
  try {
    await lookAt(options, terminal, async ({ client }) => {
      const run = await client.run(id)
      if (scorer !== null) {
        const line = await showLine(terminal)
        try {
          const state = await scoreEpisodes(client, run, {
            name,
            scorer,
            limit: options.limit,
            again: options.again,
            signal: terminal.interruption(),
            onProgress: (now) => line.update(stateText(name, now)),
          })
          terminal.note(stateText(name, state))
        } catch (error) {
          throw stopped(error, options, terminal, id)
        } finally {
          line.stop()
        }
      }
      const report = await client.score(id, name, { against, threshold })
      printResult(terminal, options, report, () => formatScore(report, terminal.columns))
    })
  } finally {
    await scorer?.close()
  }
}

function stateText(name: string, { errors, scored, skipped, total }: ScoringState): string {
  const before = skipped === 0 ? '' : `, ${formatCount(skipped)} judged before by this version`
  return `${name}: ${formatCount(scored)} of ${formatCount(total)} episodes scored${before}, ${formatCount(errors)} with an error`
}

/** An interruption ends requests under way, which is no failure of the service. */
function stopped(error: unknown, options: ScoreOptions, terminal: Terminal, run: string): unknown {
  if (!terminal.interruption().aborted) return error
  const words = `score ${run} --name ${options.name} --scorer ${options.scorer}`
  return interrupted(`Stopped. What is scored is kept; go on: ${nextCommand(terminal, options, words)}`)
}
