import type { Command } from 'commander'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import { ApiError } from '../../shared/core/client/api-error.ts'
import type { RunEstimate } from '../../shared/core/contracts/estimate.ts'
import { exampleEnvironment } from '../../shared/core/contracts/example-environment.ts'
import { CommandError } from '../command-error.ts'
import { nextCommand } from '../command-name.ts'
import { lookAt, withConnection } from '../connect.ts'
import type { GlobalOptions } from '../global-options.ts'
import { printResult } from '../print-result.ts'
import { formatSweep, formatSweepPlan, planTotals } from '../sweep/format-sweep.ts'
import { findCells, isGoing, type PlayedCell } from '../sweep/play-sweep.ts'
import { spentBy } from '../sweep/share-budget.ts'
import { cellsOf } from '../sweep/sweep-cells.ts'
import { readSweepFile, type Sweep } from '../sweep/sweep-file.ts'
import { watchSweep } from '../sweep/watch-sweep.ts'
import type { Terminal } from '../terminal.ts'

const example = `
A file, in YAML:

  name: search-depth          # started again with this name it goes on
  methods:
    - react
    - { id: mcts, iterations: 8 }
  environments:
    - { id: ${exampleEnvironment}, tasks: { split: test, limit: 20 } }
  models:
    - openai:gpt-5-mini       # endpoint:model
  seeds: [0, 1]
  run: { max_parallel: 8 }    # holds for every run
  budget: { cost: 5 }         # dollars, of all runs together
  parallel: 2                 # runs at a time

Example: espalier sweep depth.yaml --dry-run`

export function addSweepCommand(program: Command, terminal: Terminal): void {
  program
    .command('sweep')
    .description('Play methods × environments × models × seeds as the runs of an experiment.')
    .argument('<file>', 'a YAML file with the sweep')
    .option('--dry-run', 'only show the runs and their estimates')
    .addHelpText('after', example)
    .action(async (path: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { dryRun?: boolean }>()
      const sweep = await readSweepFile(path)
      if (options.dryRun) await plan(sweep, options, terminal)
      else await play(sweep, path, options, terminal)
    })
}

async function plan(sweep: Sweep, options: GlobalOptions, terminal: Terminal): Promise<void> {
  await lookAt(options, terminal, async ({ client }) => {
    const cells = await findCells(client, sweep, cellsOf(sweep))
    const estimates = await estimateCells(client, cells)
    const planned = cells.map((cell, at) => ({ cell, estimate: estimates[at] ?? null }))
    const value = {
      object: 'sweep_plan',
      name: sweep.name,
      experiment: sweep.experiment ?? sweep.name,
      budget: sweep.budget,
      ...planTotals(estimates),
      cells: planned.map(({ cell, estimate }, at) => ({
        cell: cell.name,
        run: cells[at]?.run?.id ?? null,
        request: cell.request,
        estimate,
      })),
    }
    printResult(terminal, options, value, () => formatSweepPlan(planned, sweep.budget, terminal.columns))
  })
}

async function play(sweep: Sweep, path: string, options: GlobalOptions, terminal: Terminal): Promise<void> {
  await withConnection(options, terminal, async ({ client, embedded }) => {
    const cells = await findCells(client, sweep, cellsOf(sweep))
    // Find requests that cannot run before anything is paid for.
    await estimateCells(client, cells)
    const again = nextCommand(terminal, options, `sweep ${path}`)
    const isStopped = await watchSweep({ client, embedded }, { sweep, cells, again }, terminal)
    printResult(terminal, options, toValue(sweep, cells), () => [
      ...formatSweep(cells, sweep.budget, terminal.columns),
      `Compare them: ${nextCommand(terminal, options, `leaderboard --experiment "${sweep.experiment ?? sweep.name}"`)}`,
    ])
    checkEnd(cells, isStopped, again)
  })
}

/**
 * Estimates the cells without a run, in order; null for cells with a run.
 * @throws ApiError that names the cell
 */
async function estimateCells(
  client: Pick<ApiClient, 'estimateRun'>,
  cells: readonly PlayedCell[],
): Promise<(RunEstimate | null)[]> {
  const estimates: (RunEstimate | null)[] = []
  for (const { name, request, run } of cells) {
    try {
      estimates.push(run === null ? await client.estimateRun(request) : null)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw new CommandError(error.code, `"${name}": ${error.message}`)
    }
  }
  return estimates
}

function toValue(sweep: Sweep, cells: readonly PlayedCell[]) {
  return {
    object: 'sweep',
    name: sweep.name,
    experiment: sweep.experiment ?? sweep.name,
    budget: sweep.budget,
    used: spentBy(cells.flatMap(({ run }) => run ?? [])),
    cells: cells.map(({ name, run }) => ({ cell: name, run: run?.id ?? null, status: run?.status ?? null })),
  }
}

function checkEnd(cells: readonly PlayedCell[], isStopped: boolean, again: string): void {
  const failed = cells.filter(({ run }) => run !== null && run.status !== 'succeeded' && !isGoing(run))
  const open = cells.filter(({ run }) => run === null)
  if (isStopped) {
    throw new CommandError(
      'budget_reached',
      `The budget allows no more: ${open.length} of ${cells.length} runs were not started, ${failed.length} have not come to their end. With a larger budget the sweep goes on: ${again}`,
      1,
      { isPrinted: true },
    )
  }
  if (failed.length === 0) return
  const [first] = failed
  throw new CommandError(
    'sweep_incomplete',
    `${failed.length} of ${cells.length} runs have not completed. The first: ${first?.run?.id} is ${first?.run?.status}${first?.run?.status_reason ? `: ${first.run.status_reason}` : '.'}`,
    1,
    { isPrinted: true },
  )
}
