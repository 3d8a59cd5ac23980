import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import type { DatasetKindId } from '../../shared/core/contracts/dataset.ts'
import { exampleEnvironment } from '../../shared/core/contracts/example-environment.ts'
import { buildDataset } from '../build-dataset.ts'
import { detachNeedsService } from '../change-run.ts'
import { type Connection, lookAt, withConnection } from '../connect.ts'
import { describeCaps } from '../describe-caps.ts'
import { addEnvironmentFile } from '../environment-file.ts'
import { fetchDataset } from '../fetch-dataset.ts'
import { describeDataset } from '../format-dataset.ts'
import { formatChoices } from '../format-run.ts'
import { formatRunEstimate } from '../format-run-estimate.ts'
import type { GlobalOptions } from '../global-options.ts'
import { addMethodFile, toMethodFiles } from '../method-file.ts'
import { parseNumber } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import { checkFilesServed, type RunFileFlags, readRunRequest } from '../read-run-request.ts'
import { addLabelOptions, addLimitOptions, addPlayOptions, addTaskOptions } from '../run-options.ts'
import type { Terminal } from '../terminal.ts'
import { watchRun } from '../watch-run.ts'

type RunOptions = GlobalOptions &
  RunFileFlags & {
    detach?: boolean
    dryRun?: boolean
    dataset?: DatasetKindId
  }

export function addRunCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('run')
    .description('Start a run, watch it and print its report.')
    .optionsGroup('What is played:')
    .option('--file <path>', 'a JSON file with the run, or - for standard input; flags override it')
    .option('--name <text>', 'display name of the run')
  addTaskOptions(command, { split: 'test' })
  command
    .option('--epochs <n>', 'number of times to play each task', parseNumber)
    .optionsGroup('How:')
    .option('--preset <id>', "a paper's settings, which other flags override; `espalier presets` lists them")
  addPlayOptions(command)
  command.optionsGroup('Limits:').option('--max-parallel <n>', 'maximum episodes in flight', parseNumber)
  addLimitOptions(command, 'run')
  command.optionsGroup('Then:')
  addLabelOptions(command, 'run')
  command
    .option('--dry-run', 'only estimate calls, tokens and money')
    .option('--detach', 'start the run and return; needs a running service')
    .option('--dataset <kind>', 'export a dataset of this kind when the run has completed')
    .addHelpText(
      'after',
      `\nExample: espalier run --environment ${exampleEnvironment} --method mcts --set iterations=8 --model simulated --limit 20`,
    )
    .action(async (_: unknown, used: Command) => {
      await run(used.optsWithGlobals<RunOptions>(), terminal)
    })
}

async function run(options: RunOptions, terminal: Terminal): Promise<void> {
  const wanted = await readRunRequest(options, terminal, { split: 'test' })
  const { environment, method, request } = wanted
  if (environment !== null) await addEnvironmentFile(environment, options, terminal)
  if (options.dryRun) {
    const needs = method && { methodFiles: await toMethodFiles(method, options.folder) }
    const work = async ({ client }: Connection) => {
      await checkFilesServed(client, wanted)
      const estimate = await client.estimateRun(request)
      printResult(terminal, options, estimate, () => formatRunEstimate(estimate, terminal.columns))
    }
    await lookAt(options, terminal, work, needs ?? {})
    return
  }
  if (method !== null) await addMethodFile(method, options, terminal)
  await withConnection(options, terminal, async (connection) => {
    const { client } = connection
    await checkFilesServed(client, wanted)
    if (options.detach && connection.embedded) {
      throw detachNeedsService()
    }
    const caps = options.detach ? null : await describeCaps(client, request)
    const started = await client.createRun(request, randomUUID())
    if (options.detach) {
      terminal.out(options.json ? JSON.stringify(started, null, 2) : started.id)
      return
    }
    terminal.note(
      [
        `${started.id} · ${started.episodes.total} episodes`,
        ...formatChoices(started),
        ...(caps === null ? [] : [caps(started.episodes.total)]),
      ].join('\n'),
    )
    await watchRun(connection, started.id, options, terminal)
    if (options.dataset === undefined) return
    const dataset = await buildDataset(client, { runs: [started.id], kind: options.dataset })
    const { asked, folder } = await fetchDataset(connection, dataset)
    if (options.json) terminal.out(JSON.stringify({ ...dataset, folder }))
    else
      terminal.out(['', ...describeDataset(dataset, folder, { width: terminal.columns, asked })].join('\n'))
  })
}
