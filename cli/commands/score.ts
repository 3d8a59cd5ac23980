import type { Command } from 'commander'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import { formatCount, formatEstimate, formatNumber } from '../../shared/core/client/format-quantity.ts'
import type { Agreement, ScoreReport } from '../../shared/core/contracts/scoring.ts'
import { interrupted, wrongUsage } from '../command-error.ts'
import { nextCommand } from '../command-name.ts'
import { withConnection } from '../connect.ts'
import { wrap } from '../fit-text.ts'
import { formatTable } from '../format-table.ts'
import type { GlobalOptions } from '../global-options.ts'
import { parseCount, parseNumber } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import { judgeByRubric, readRubric, rubricText } from '../scoring/judge-by-rubric.ts'
import { type OpenScorer, openScorer } from '../scoring/open-scorer.ts'
import { type ScoringState, scoreEpisodes } from '../scoring/score-episodes.ts'
import { showLine } from '../show-line.ts'
import type { Terminal } from '../terminal.ts'

const right = 'right' as const
const mostErrors = 5

type ScoreOptions = GlobalOptions & {
  name?: string
  scorer?: string
  rubric?: string
  judge?: string
  budget?: number
  limit?: number
  again?: boolean
  against: string
  threshold: number
}

export function addScoreCommand(program: Command, terminal: Terminal): void {
  program
    .command('score')
    .description('Score the ended episodes of a run again, without playing: a new score beside the reward.')
    .argument('<run>', 'the run: its id, or latest')
    .option('--name <name>', 'the name of the score, such as careful')
    .optionsGroup('What scores (without one, the score is only shown):')
    .option(
      '--scorer <file>',
      'a module or a Python file with a function score(episode), which returns 0 to 1; or webarena-verified, for its tasks',
    )
    .option('--rubric <file>', 'a text file with the grading rules for a model')
    .option('--judge <endpoint:model>', 'the model that grades by the rubric')
    .option('--budget <dollars>', "upper bound of the judge's cost", parseNumber)
    .option('--limit <n>', 'only the first n episodes', parseCount)
    .option('--again', 'also score episodes for which this scorer failed before')
    .optionsGroup('How it is shown:')
    .option('--against <name>', 'compare with reward, or with another score', 'reward')
    .option('--threshold <n>', 'lowest value of a positive score', parseNumber, 0.5)
    .addHelpText(
      'after',
      '\nExample: espalier score run-0123 --name short --scorer ./short.ts\n         espalier score run-0123 --name careful --rubric careful.md --judge openai:gpt-5-mini --budget 2',
    )
    .action(async (run: string, _: unknown, command: Command) => {
      await score(run, command.optsWithGlobals<ScoreOptions>(), terminal)
    })
}

async function score(id: string, options: ScoreOptions, terminal: Terminal): Promise<void> {
  const { against, name, rubric, scorer: file, threshold } = options
  if (name === undefined) throw wrongUsage('Name the score: --name, such as --name careful.')
  if (file !== undefined && rubric !== undefined) throw wrongUsage('Give --scorer or --rubric, not both.')
  if (rubric === undefined && options.judge !== undefined) throw wrongUsage('--judge judges by a --rubric.')
  const request = rubric === undefined ? null : await readRubric({ ...options, name, rubric })
  const scorer = file === undefined ? null : await openScorer(file, terminal.environment)
  try {
    // Only a judge needs a service that plays.
    await withConnection(
      options,
      terminal,
      async ({ client }) => {
        const line = await showLine(terminal)
        try {
          if (request !== null) {
            const onProgress = (now: Parameters<typeof rubricText>[0]) => line.update(rubricText(now))
            terminal.note(rubricText(await judgeByRubric(client, id, request, { onProgress })))
          } else if (scorer !== null) {
            await scoreByModule(client, id, { ...options, name, scorer }, terminal, line.update)
          }
        } catch (error) {
          throw stopped(error, options, terminal, id)
        } finally {
          line.stop()
        }
        const report = await client.score(id, name, { against, threshold })
        printResult(terminal, options, report, () => formatScore(report, terminal.columns))
      },
      { purpose: request === null ? 'look' : 'work' },
    )
  } finally {
    await scorer?.close()
  }
}

async function scoreByModule(
  client: ApiClient,
  id: string,
  {
    again,
    limit,
    name,
    scorer,
  }: Pick<ScoreOptions, 'again' | 'limit'> & { name: string; scorer: OpenScorer },
  terminal: Terminal,
  update: (text: string) => void,
): Promise<void> {
  const state = await scoreEpisodes(client, await client.run(id), {
    name,
    scorer,
    limit,
    again,
    signal: terminal.interruption(),
    onProgress: (now) => update(stateText(name, now)),
  })
  terminal.note(stateText(name, state))
}

function stateText(name: string, { errors, scored, skipped, total }: ScoringState): string {
  const before = skipped === 0 ? '' : `, ${formatCount(skipped)} judged before by this version`
  return `${name}: ${formatCount(scored)} of ${formatCount(total)} episodes scored${before}, ${formatCount(errors)} with an error`
}

function stopped(error: unknown, options: ScoreOptions, terminal: Terminal, run: string): unknown {
  if (!terminal.interruption().aborted) return error
  const { judge, name, rubric, scorer } = options
  const how = rubric === undefined ? `--scorer ${scorer}` : `--rubric ${rubric} --judge ${judge}`
  const next = nextCommand(terminal, options, `score ${run} --name ${name} ${how}`)
  return interrupted(`Stopped. What is scored is kept; go on: ${next}`)
}

function formatScore(report: ScoreReport, width: number): string[] {
  const { agreement, episodes, errors, first_errors, kind, missing, name, outdated, run, scored, value } =
    report
  return [
    `score ${name} of ${run}, by ${kind === 'person' ? 'people' : 'a scorer'}`,
    '',
    `mean           ${formatEstimate(value)}   (${formatCount(value.count)} episodes of ${formatCount(value.tasks)} tasks, 95 % interval)`,
    `episodes       ${formatCount(episodes)} played to an end: ${formatCount(scored)} scored, ${formatCount(missing)} not judged, ${formatCount(errors)} with an error, ${formatCount(outdated)} played on since or by another version`,
    '',
    ...agreementLines(agreement, name, width),
    ...(first_errors.length === 0 ? [] : ['', 'errors (never counted as a value)']),
    ...first_errors
      .slice(0, mostErrors)
      .flatMap(({ episode, error }) => wrap(`  ${episode}  ${error.replaceAll(/\s+/g, ' ')}`, width)),
    ...(errors > mostErrors ? [`  … ${errors - mostErrors} more`] : []),
  ]
}

function agreementLines(agreement: Agreement, name: string, width: number): string[] {
  const { against, confusion, pairs, positive, threshold, without_reference, without_score } = agreement
  const head = `agreement with ${against} over ${formatCount(pairs)} episodes that have both (${formatCount(without_score)} without the score, ${formatCount(without_reference)} without ${against})`
  if (pairs === 0) return wrap(head, width)
  const columns = [
    { header: '' },
    { header: `${name} ≥ ${threshold}`, align: right },
    { header: `${name} < ${threshold}`, align: right },
  ]
  const counts = formatTable(
    columns,
    [
      [positive, String(confusion.both), String(confusion.reference_only)],
      [`not: ${positive}`, String(confusion.score_only), String(confusion.neither)],
    ],
    width,
  )
  return [
    ...wrap(head, width),
    `  accuracy     ${formatNumber(agreement.accuracy)}`,
    `  kappa        ${formatNumber(agreement.kappa)}   (Cohen’s)`,
    `  Pearson      ${formatNumber(agreement.pearson)}`,
    `  Spearman     ${formatNumber(agreement.spearman)}`,
    `  bias         ${formatNumber(agreement.mean_difference)}   (mean of ${name} − ${against})`,
    ...counts.map((line) => `  ${line}`),
  ]
}
