import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import { ApiError } from '../../shared/core/client/api-error.ts'
import { formatCount, formatNumber } from '../../shared/core/client/format-quantity.ts'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import { type Board, boards, findBoard } from '../../shared/insight/boards/boards.ts'
import type { Submission } from '../../shared/insight/boards/submission.ts'
import { buildRunRequest, type RunFlags } from '../build-run-request.ts'
import { CommandError, wrongUsage } from '../command-error.ts'
import { lookAt, withConnection } from '../connect.ts'
import { fillFolder } from '../fill-folder.ts'
import { formatTable } from '../format-table.ts'
import type { GlobalOptions } from '../global-options.ts'
import { collect, parseNumber } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import { readTaskFile } from '../read-task-file.ts'
import { readText } from '../read-text.ts'
import { showLine } from '../show-line.ts'
import type { Terminal } from '../terminal.ts'
import { watchRun } from '../watch-run.ts'

type PlayOptions = GlobalOptions & RunFlags & { taskFile?: string }

export function addBoardCommand(program: Command, terminal: Terminal): void {
  const board = program
    .command('board')
    .description("List the boards, each a paper's panel of tasks; play one, export and verify submissions.")
    .addHelpText('after', '\nExample: espalier board\n         espalier board run pddl --model small')
    .action((_: unknown, command: Command) => {
      printResult(terminal, command.optsWithGlobals<GlobalOptions>(), { object: 'list', data: boards }, () =>
        formatBoards(terminal.columns),
      )
    })
  addPlay(board, terminal)
  addExport(board, terminal)
  addVerify(board, terminal)
  addFiles(board, terminal)
}

function addPlay(board: Command, terminal: Terminal): void {
  board
    .command('run')
    .description('Play all tasks of a board as one run.')
    .argument('<board>', 'the board; `espalier board` lists them')
    .requiredOption('--model <id>', 'the model')
    .option('--endpoint <name>', 'endpoint of the model')
    .option('--preset <id>', "a paper's settings (default: those of the board)")
    .option('--method <id>', 'a method, instead of a preset')
    .option('--set <name=value>', 'a parameter of the method; may be given several times', collect)
    .option('--task-file <path>', 'the list of tasks, if the board needs one')
    .option(
      '--limit <n>',
      'play only this many tasks, as practice: the run is not an entry of the board',
      parseNumber,
    )
    .option('--seed <n>', 'the seed of everything random', parseNumber)
    .option('--max-parallel <n>', 'maximum episodes in flight', parseNumber)
    .option('--max-cost <dollars>', 'pause the run at this cost', parseNumber)
    .addHelpText('after', '\nExample: espalier board run pddl --model small --max-cost 20')
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<PlayOptions>()
      const found = findBoard(id)
      const request = await requestOf(found, options)
      await withConnection(options, terminal, async (connection) => {
        const { client } = connection
        if (options.limit === undefined) {
          await checkCount(found, client, request)
          await checkPack(found, client)
        }
        const run = await client.createRun(request, randomUUID())
        terminal.note(`${run.id} · ${run.episodes.total} episodes · passport ${run.passport?.digest}`)
        await watchRun(connection, run.id, options, terminal)
      })
    })
}

async function requestOf(board: Board, options: PlayOptions): Promise<JsonObject> {
  const { method, preset = method === undefined ? board.preset : undefined, taskFile, ...flags } = options
  if (preset === undefined && method === undefined)
    throw wrongUsage(`The board ${board.id} has no preset: give --preset or --method.`)
  const named = 'file' in board.tasks && options.limit === undefined
  if (named && taskFile === undefined) {
    throw wrongUsage(`The board ${board.id} needs --task-file: ${(board.tasks as { file: string }).file}.`)
  }
  const tasks =
    taskFile === undefined
      ? 'split' in board.tasks && { split: board.tasks.split }
      : { task: await readTaskFile(taskFile, await readText(taskFile), board.environment) }
  const entry = options.limit === undefined ? [`board=${board.id}`] : []
  return buildRunRequest({
    ...flags,
    ...tasks,
    ...(preset !== undefined && { preset }),
    ...(method !== undefined && { method }),
    environment: board.environment,
    metadata: [...(options.metadata ?? []), ...entry],
  })
}

async function checkCount(
  { id, count, data }: Board,
  client: Pick<ApiClient, 'estimateRun'>,
  request: JsonObject,
): Promise<void> {
  if (count === null) return
  const { episodes, learning_episodes } = await client
    .estimateRun({ ...request, limits: {}, epochs: 1 })
    .catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      throw new CommandError(error.code, `${error.message} The board ${id} needs ${data}.`)
    })
  const found = episodes.at_most - learning_episodes
  if (found === count) return
  throw new CommandError(
    'invalid_request',
    `The board ${id} has ${count} tasks, and the data here gives ${found}. It needs ${data}. For practice give --limit.`,
  )
}

async function checkPack(
  { id, data, environment, fromPack }: Board,
  client: Pick<ApiClient, 'environment'>,
): Promise<void> {
  if (fromPack !== true || (await client.environment(environment)).data !== null) return
  throw new CommandError(
    'invalid_request',
    `The board ${id} is of a data pack, and none of ${environment} is here: its built-in data are other tasks. It needs ${data}. For practice give --limit.`,
  )
}

function addExport(board: Command, terminal: Terminal): void {
  board
    .command('export')
    .description('Write the submission of an ended run: results, passport and digests of its journals.')
    .argument('<run>', 'the run: its id, or latest')
    .requiredOption('--out <path>', 'output file')
    .addHelpText('after', '\nExample: espalier board export run-0123 --out submission.json')
    .action(async (run: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { out: string }>()
      await lookAt(options, terminal, async ({ client }) => {
        const { buildSubmission, writeSubmission } = await import('../../shared/insight/boards/submission.ts')
        const submission = await buildSubmission(client, run)
        await writeText(options.out, writeSubmission(submission))
        const { passport, seal } = submission
        const written = { object: 'written_submission', path: options.out, passport: passport.digest, seal }
        printResult(terminal, options, written, () => [
          `${options.out}: passport ${passport.digest}, seal ${seal}`,
        ])
      })
    })
}

function addVerify(board: Command, terminal: Terminal): void {
  board
    .command('verify')
    .description('Verify submissions of this or other installations, and that all have the same passport.')
    .argument('<file...>', 'submission files')
    .addHelpText('after', '\nExample: espalier board verify submission.json')
    .action(async (files: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const { readSubmission, refuseOtherPassports } = await import(
        '../../shared/insight/boards/verify-submission.ts'
      )
      const submissions: Submission[] = []
      for (const file of files) {
        const text = await readText(file)
        submissions.push(verdictOn(() => readSubmission(text), `${file}: `))
      }
      verdictOn(() => refuseOtherPassports(submissions))
      const verified = submissions.map(({ board: id, passport, results, run, seal }, at) => ({
        file: files[at] ?? '',
        board: id,
        model: run.model,
        method: run.method,
        simulated: run.simulated,
        origin: run.provenance.origin,
        tasks: results.tasks,
        episodes: results.episodes.length,
        scored: results.scored,
        errored: results.errored,
        success_rate: results.success_rate,
        mean_reward: results.mean_reward,
        passport: passport.digest,
        seal,
      }))
      printResult(terminal, options, { object: 'list', data: verified }, () =>
        verified.map(
          (each) =>
            `${each.file}: valid, board ${each.board ?? 'none'}, ${each.method} by ${each.model}, ${each.tasks} tasks, ${each.scored} of ${each.episodes} episodes scored${each.errored === 0 ? '' : `, ${each.errored} episodes errored`}, success rate ${formatNumber(each.success_rate)}, mean reward ${formatNumber(each.mean_reward)}${each.simulated ? ', simulated' : ''}, data: ${each.origin}; passport ${each.passport}, seal ${each.seal}`,
        ),
      )
    })
}

function addFiles(board: Command, terminal: Terminal): void {
  board
    .command('files')
    .description('Write the answers and requests of a run in the format of WebArena-Verified.')
    .argument('<run>', 'the run: its id, or latest')
    .requiredOption('--out <folder>', 'output folder; each task gets a folder in it')
    .addHelpText('after', '\nExample: espalier board files latest --out runs')
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { out: string }>()
      await lookAt(options, terminal, async ({ client }) => {
        const { writeVerifiedFiles } = await import('../scoring/write-verified-files.ts')
        const run = await client.run(id)
        const line = await showLine(terminal)
        const onProgress = ({ written }: { written: number }) =>
          line.update(`${formatCount(written)} tasks written`)
        const signal = terminal.interruption()
        const { left_out: leftOut, written } = await fillFolder(options.out, (aside) =>
          writeVerifiedFiles(client, run, aside, { onProgress, signal }),
        ).finally(() => line.stop())
        const without = run.episodes.total - written - leftOut.length
        const answer = {
          object: 'written_files',
          path: options.out,
          written,
          left_out: leftOut,
          without_end: without,
        }
        printResult(terminal, options, answer, () => [
          `${options.out}: ${formatCount(written)} tasks`,
          ...leftOut.map(({ episode, reason, task }) => `left out: ${episode} (${task}): ${reason}`),
          ...(without > 0 ? [`left out: ${formatCount(without)} episodes that did not end, or errored`] : []),
          `Score them: webarena-verified eval-tasks --output-dir ${options.out}`,
        ])
      })
    })
}

// A refused file is the answer, with exit code 1, and no wrong usage.
function verdictOn<Value>(verify: () => Value, file = ''): Value {
  try {
    return verify()
  } catch (error) {
    if (!EspalierError.isInstance(error)) throw error
    throw new CommandError('refused_submission', `${file}${error.message}`)
  }
}

function formatBoards(width: number): string[] {
  const columns = [
    { header: 'board' },
    { header: 'tasks', align: 'right' as const },
    { header: 'ranks by' },
    { header: 'preset' },
    { header: 'needs', flexible: 'wrap' as const },
  ]
  const rows = boards.map(({ id, count, ranks, preset = '–', data, tasks }) => [
    id,
    count === null ? 'not known' : String(count),
    ranks,
    preset,
    'file' in tasks ? `${data}; --task-file: ${tasks.file}` : data,
  ])
  return [...formatTable(columns, rows, width), '', 'Play one: espalier board run BOARD --model MODEL']
}

async function writeText(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text)
  } catch (error) {
    throw new CommandError(
      'unwritable_file',
      `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
