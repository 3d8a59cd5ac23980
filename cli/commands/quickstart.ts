import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import type { Episode } from '../../shared/core/contracts/episode.ts'
import { exampleEnvironment } from '../../shared/core/contracts/example-environment.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import type { Tree } from '../../shared/core/contracts/tree.ts'
import { buildDataset } from '../build-dataset.ts'
import { CommandError, interrupted } from '../command-error.ts'
import { nextCommand } from '../command-name.ts'
import { type Connection, withConnection } from '../connect.ts'
import { shortPath } from '../dataset-folder.ts'
import { drawTreeWithin } from '../draw-tree.ts'
import { endAtDashboard, staysOpen, usualPort } from '../end-at-dashboard.ts'
import { fetchDataset } from '../fetch-dataset.ts'
import { followRun } from '../follow-run.ts'
import { formatComparison } from '../format-comparison.ts'
import { describeDataset } from '../format-dataset.ts'
import { defaultFolder, type GlobalOptions } from '../global-options.ts'
import { parseCount, parseDollars, parseLatency, parseShare } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import { planQuickstart, type QuickstartFlags, type QuickstartPlan } from '../quickstart-plan.ts'
import { showProgress } from '../show-progress.ts'
import type { Terminal } from '../terminal.ts'

const goodSize = 24

type QuickstartOptions = GlobalOptions & QuickstartFlags & { skill: number; latency: number; serve: boolean }

const treeLines = 30

export function addQuickstartCommand(program: Command, terminal: Terminal): void {
  program
    .command('quickstart')
    .description(
      'Play react and mcts, compare them, build a dataset and draw a tree, then serve the dashboard: all in a minute.',
    )
    .option('--tasks <n>', 'number of training tasks (default: 20; 5 with a real model)', parseCount)
    .option('--model <id>', 'a real model, at --endpoint', 'simulated')
    .option('--endpoint <name>', 'a configured endpoint (default: openai, or simulated)')
    .option(
      '--max-cost <dollars>',
      'stop both runs at this total cost (default: 1 if the endpoint has prices)',
      parseDollars,
    )
    .option(
      '--max-tokens <n>',
      'stop both runs after this many tokens in total (default: 1000000 if the endpoint has no prices)',
      parseCount,
    )
    .option('--skill <n>', "share of the simulated model's answers that are right, 0 to 1", parseShare, 0.4)
    .option('--latency <ms>', 'latency of the simulated model', parseLatency, 40)
    .option('--no-serve', 'end after the last step, instead of serving the dashboard until Ctrl-C')
    .addHelpText('after', '\nExample: espalier quickstart\n         espalier quickstart --model gpt-5-mini')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<QuickstartOptions>()
      if (options.folder === defaultFolder) options.folder = join(defaultFolder, 'quickstart')
      const { skill, latency } = options
      await withConnection(options, terminal, (connection) => play(connection, options, terminal), {
        saysHolder: true,
        simulated: { skill, latency, latency_spread: latency / 2 },
        ...(staysOpen(options, terminal) && { port: usualPort }),
      })
    })
}

async function play(connection: Connection, options: QuickstartOptions, terminal: Terminal): Promise<void> {
  const { client } = connection
  const [{ data: endpoints }, { splits }] = await Promise.all([
    client.models(),
    client.environment(exampleEnvironment),
  ])
  const plan = planQuickstart(options, endpoints, splits.train ?? 0)
  terminal.note(plan.announcement)
  const runs = await playRuns(connection, plan, options, terminal)
  const comparison = await client.compare(runs.map((run) => run.id))
  const paused = runs.find((run) => run.status === 'paused')
  if (paused !== undefined) {
    // Shows the paid results. Rows and a tree of half a run are not the quickstart's purpose.
    printResult(terminal, options, { runs, comparison }, () => formatComparison(comparison, terminal.columns))
    const next = nextCommand(terminal, options, `resume ${paused.id} --max-tokens N or --max-cost N`)
    throw endedBadly(paused.request.method.id, paused, next, { isPrinted: true })
  }
  const searched = runs[1]
  if (searched === undefined) throw new Error('The plan has two runs.')
  const dataset = await buildDataset(client, { runs: [searched.id], name: 'quickstart mcts' })
  const { asked, folder } = await fetchDataset(connection, dataset)
  const solved = await findSmallSolvedTree(client, searched.id)
  if (options.json) {
    terminal.out(JSON.stringify({ runs, comparison, dataset: { ...dataset, folder } }, null, 2))
    return
  }
  terminal.out(
    [
      ...formatComparison(comparison, terminal.columns),
      ...[
        '',
        terminal.paint('bold', 'Dataset of the mcts run'),
        ...describeDataset(dataset, folder, { width: terminal.columns, asked }),
      ],
      ...['', terminal.paint('bold', 'Trees, trajectories and journals')],
      `in the data folder ${shortPath(connection.folder ?? options.folder)}, as runs/{run}/episodes/{episode}/attempts/{n}/…; \`show\` and \`serve\` give them`,
      ...describeTree(solved, terminal),
      ...['', terminal.paint('bold', 'Next'), ...nextSteps(searched.id, solved, options, terminal)],
    ].join('\n'),
  )
  await endAtDashboard(connection, options, terminal)
}

function describeTree(solved: SolvedTree | null, terminal: Terminal): string[] {
  if (solved === null) return ['', 'No task was solved, so there is no tree to show.']
  const { episode, tree } = solved
  const heading = `The tree of ${episode.id} (${episode.task}, ${tree.nodes.length} nodes); ● leads to the answer`
  const drawn = drawTreeWithin(tree, { width: terminal.columns, lines: treeLines })
  return ['', terminal.paint('bold', heading), ...drawn]
}

function nextSteps(
  run: string,
  solved: SolvedTree | null,
  options: GlobalOptions,
  terminal: Terminal,
): string[] {
  const next = (words: string) => nextCommand(terminal, options, words)
  return [
    ...(solved === null ? [] : [next(`show ${run} ${solved.episode.id} --tree`)]),
    next(`report ${run} --tasks`),
    next(`export ${run} --kind step-preference --format trl`),
    next(`extend ${run} --set iterations=16`),
  ]
}

async function playRuns(
  connection: Connection,
  plan: QuickstartPlan,
  options: QuickstartOptions,
  terminal: Terminal,
): Promise<Run[]> {
  const { client } = connection
  const progress = await showProgress(
    terminal,
    plan.requests.map(({ method }) => method),
  )
  try {
    return await Promise.all(
      plan.requests.map(async ({ method, request }) => {
        const { id } = await client.createRun(request, randomUUID())
        const run = await followRun(client, id, {
          signal: terminal.interruption(),
          onProgress: (state) => progress.update(method, state),
        })
        if (run.status === 'succeeded' || run.status === 'paused') return run
        throw endedBadly(method, run, nextCommand(terminal, options, `show ${id}`))
      }),
    )
  } catch (error) {
    if (!terminal.interruption().aborted) throw error
    throw interrupted(
      `Stopped. What is done is kept. See the runs: ${nextCommand(terminal, options, 'runs')}; go on with one: ${nextCommand(terminal, options, 'watch RUN')}`,
    )
  } finally {
    progress.stop()
  }
}

function endedBadly(
  method: string,
  run: Run,
  next: string,
  options: { isPrinted?: boolean } = {},
): CommandError {
  const reason = run.status_reason === null ? '' : `: ${run.status_reason.replace(/\.$/, '')}`
  return new CommandError(
    `run_${run.status}`,
    `The ${method} run is ${run.status}${reason}. Next: ${next}`,
    1,
    options,
  )
}

interface SolvedTree {
  episode: Episode
  tree: Tree
}

async function findSmallSolvedTree(
  client: Pick<ApiClient, 'episodes' | 'tree'>,
  run: string,
): Promise<SolvedTree | null> {
  const { data } = await client.episodes(run, { status: 'succeeded', limit: 100 })
  const distance = (episode: Episode) => Math.abs((episode.result?.nodes ?? 0) - goodSize)
  const [episode] = data.toSorted((left, right) => distance(left) - distance(right))
  return episode === undefined ? null : { episode, tree: await client.tree(run, episode.id) }
}
