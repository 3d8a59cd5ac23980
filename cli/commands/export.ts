import type { Command } from 'commander'
import { formatCount, formatNumber } from '../../shared/core/client/format-quantity.ts'
import {
  type Dataset,
  datasetFormatSchema,
  datasetKindSchema,
  gatesSchema,
  pictureChoiceSchema,
} from '../../shared/core/contracts/dataset.ts'
import type { DatasetPreview, ForeseenRow } from '../../shared/core/contracts/dataset-preview.ts'
import { gates } from '../../shared/core/contracts/gates.ts'
import { foreseenReasons, leftOutReasons } from '../../shared/core/contracts/left-out-reasons.ts'
import type { ShownPart } from '../../shared/core/contracts/shown-row.ts'
import { type BuildWatcher, buildDataset, followDataset } from '../build-dataset.ts'
import { buildDatasetRequest, type DatasetFlags } from '../build-dataset-request.ts'
import { choiceOption } from '../choice-option.ts'
import { CommandError, interrupted, wrongUsage } from '../command-error.ts'
import { nextCommand } from '../command-name.ts'
import { lookAt, withConnection } from '../connect.ts'
import { checkOutput, fetchDataset } from '../fetch-dataset.ts'
import { toLine, truncate } from '../fit-text.ts'
import { counted, describeDataset, formatDataset } from '../format-dataset.ts'
import { hang } from '../format-parameters.ts'
import type { GlobalOptions } from '../global-options.ts'
import { collect, parseNumber } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import { showBuild } from '../show-build.ts'
import type { Terminal } from '../terminal.ts'

const rowsPrinted = 3
const indent = 10

const leftOutTexts: Readonly<Record<string, string>> = leftOutReasons
const gateTexts: Readonly<Record<string, string>> = gates

type ExportOptions = GlobalOptions &
  DatasetFlags & { dataset?: string; out?: string; keepGzip?: boolean; dryRun?: boolean }

export function addExportCommand(program: Command, terminal: Terminal): void {
  program
    .command('export')
    .description('Build a dataset from runs and imported trajectories, download it and check every file.')
    .argument('[run...]', 'the runs: ids, or latest')
    .optionsGroup('What it is made of:')
    .option('--trajectories <id>', 'imported trajectories; may be given several times', collect)
    .option(
      '--expert <id>',
      'a run or trajectories of an expert, for pairs; may be given several times',
      collect,
    )
    .option('--mix <id>', 'imported general conversations to mix in; may be given several times', collect)
    .option('--mix-share <n>', 'share of the rows that come from --mix (default: 0.2)', parseNumber)
    .optionsGroup('What the rows teach:')
    .addOption(choiceOption('--kind <kind>', 'kind of the rows (default: sft)', datasetKindSchema.options))
    .option('--set <name=value>', 'a parameter of the kind; may be given several times', collect)
    .option('--min-reward <n>', 'for sft: rows with at least this reward, not only successes', parseNumber)
    .optionsGroup('The model, for kinds that ask one:')
    .option('--endpoint <name>', 'a configured endpoint (default: the first run’s verifier, or its model)')
    .option('--model <id>', 'the model, as the endpoint calls it')
    .option('--max-cost <dollars>', 'upper bound of the cost of model calls', parseNumber)
    .optionsGroup('How they are written:')
    .addOption(
      choiceOption(
        '--format <format>',
        'the trainer’s format (default: openai)',
        datasetFormatSchema.options,
      ),
    )
    .addOption(
      choiceOption(
        '--pictures <what>',
        "show the prompts' pictures in rows (default: if there are any)",
        pictureChoiceSchema.options,
      ),
    )
    .option('--split <shares>', 'splits with their shares of the tasks, such as train=0.9,validation=0.1')
    .option('--seed <n>', 'seed of the split and of sampled rows', parseNumber)
    .option('--rows-per-file <n>', 'maximum number of rows in a file (default: 10000)', parseNumber)
    .optionsGroup('Which are kept out:')
    .option(
      '--score <bound>',
      'drop episodes without this score or outside its bound, such as "careful>=0.5"; may be given several times',
      collect,
    )
    .option('--max-tokens <n>', 'drop rows with more tokens', parseNumber)
    .addOption(
      choiceOption('--tokenizer <name>', 'tokenizer that counts the tokens (default: estimate)', [
        ...gatesSchema.shape.tokenizer.unwrap().options,
      ]),
    )
    .option('--keep-held-out', 'keep rows of tasks held out for evaluation')
    .option('--keep-duplicates', 'keep duplicates of earlier rows')
    .option('--keep-empty-turns', 'keep rows with an empty turn')
    .option('--keep-same-action', 'keep step-preference pairs whose two sides take the same action')
    .optionsGroup('Where it goes:')
    .option('--dry-run', 'only show the first rows and the dropped ones; stores nothing, calls no model')
    .option('--name <text>', 'display name of the dataset')
    .option('--dataset <id>', 'an existing dataset to wait for and download; builds nothing')
    .option('--out <folder>', 'output folder (default: exports/{dataset} in the data folder)')
    .option('--keep-gzip', 'keep gzipped data files even if the trainer cannot read them')
    .addHelpText(
      'after',
      '\nWhat kinds and formats are: espalier datasets --kinds, espalier datasets --formats\nExample: espalier export run-0123 --kind step-preference --set margin=0.3 --format trl --split train=0.9,test=0.1',
    )
    .action(async (runs: string[], _: unknown, command: Command) => {
      await exportDataset(runs, command.optsWithGlobals<ExportOptions>(), terminal)
    })
}

async function exportDataset(runs: string[], options: ExportOptions, terminal: Terminal): Promise<void> {
  const request = buildDatasetRequest(runs, options)
  if (options.dataset !== undefined && (Object.keys(request).length > 0 || options.dryRun)) {
    throw wrongUsage('--dataset is built already: give it alone, with --out and --keep-gzip at most.')
  }
  if (options.dryRun) {
    await lookAt(options, terminal, async ({ client }) => {
      const preview = await client.previewDataset(request)
      printResult(terminal, options, preview, () => formatDatasetPreview(preview, terminal.columns))
    })
    return
  }
  await withConnection(options, terminal, async (connection) => {
    const { client } = connection
    if (options.dataset === undefined) await checkOutput(client, request, options)
    const progress = showBuild(terminal)
    let begun: string | undefined = options.dataset
    const watcher: BuildWatcher = {
      onProgress(state) {
        begun = state.dataset.id
        progress.update(state)
      },
    }
    let dataset: Dataset
    try {
      dataset = await (options.dataset === undefined
        ? buildDataset(client, request, watcher)
        : followDataset(client, await client.dataset(options.dataset), watcher))
    } catch (error) {
      if (!terminal.interruption().aborted || begun === undefined) throw error
      const next = nextCommand(terminal, options, `export --dataset ${begun}`)
      throw interrupted(`Stopped. What is built is kept; continue with: ${next}`)
    } finally {
      progress.stop()
    }
    if (dataset.rows === 0) {
      printResult(terminal, options, { ...dataset, folder: null, paths: [] }, () =>
        formatDataset(dataset, { width: terminal.columns }),
      )
      throw noRows(dataset)
    }
    const { asked, folder, paths } = await fetchDataset(connection, dataset, {
      ...options,
      next: nextCommand(terminal, options, `export --dataset ${dataset.id} --out FOLDER`),
    })
    printResult(terminal, options, { ...dataset, folder, paths }, () =>
      describeDataset(dataset, folder, { width: terminal.columns, asked }),
    )
  })
}

function noRows({ id, gates: counts, left_out }: Dataset): CommandError {
  const reasons = [
    ...Object.entries(left_out).map(([reason, count]) => ({ count, text: leftOutTexts[reason] ?? reason })),
    ...Object.entries(counts).map(([gate, { dropped }]) => ({
      count: dropped,
      text: gateTexts[gate] ?? gate,
    })),
  ].toSorted((one, other) => other.count - one.count)
  const [most] = reasons
  const why = most === undefined || most.count === 0 ? '' : ` Mostly (${most.count}): ${most.text}.`
  return new CommandError(
    'no_rows',
    `The dataset ${id} has no rows, so nothing was downloaded.${why} Change the selection; --dry-run shows the counts without a build.`,
    1,
    { isPrinted: true },
  )
}

export function formatDatasetPreview(preview: DatasetPreview, width: number): string[] {
  const { asks, listed, read, request, rows, tokens, warnings } = preview
  const found = Object.entries(preview.gates).filter(([, count]) => count.found > 0)
  const summary = [
    `preview   ${request.kind}, format ${request.format}; nothing is stored`,
    `read      ${formatCount(read.attempts)} attempts at ${formatCount(read.tasks)} tasks${preview.complete ? ', which is all' : `, of more: the build reads the rest`}`,
    `rows      ${formatCount(preview.rows_found)}${preview.complete ? '' : ' in these'}, ${formatCount(tokens.total)} tokens in those that are kept (${tokens.tokenizer})`,
    ...(asks === null
      ? []
      : [
          `asks      ${asks.endpoint}/${asks.model} about up to ${formatCount(asks.episodes)} episodes, which may cost money; rows made of its answers are not shown`,
        ]),
    ...counted(
      'left out',
      [listed, read].flatMap(({ left_out }) =>
        Object.entries(left_out).map(([reason, count]) => [count, reason, foreseenReasons]),
      ),
    ),
    ...counted(
      'gates',
      found.map(([gate, count]) => [count.found, gate, gates]),
    ),
    ...warnings.map((warning) => `note      ${warning}`),
  ].flatMap((line) => hang(line, { width, by: indent }))
  return [...summary, ...rows.slice(0, rowsPrinted).flatMap((row) => ['', ...formatRow(row, width)])]
}

function formatRow({ id, dropped, lineage, parts }: ForeseenRow, width: number): string[] {
  const { origin, task, tokens } = lineage
  const fate = dropped === null ? '' : `, kept out by ${dropped.gate}: ${toLine(dropped.reason)}`
  const head = `row ${id}: ${toLine(task)}, ${origin.source} ${origin.episode}, ${formatCount(tokens)} tokens${fate}`
  return [...hang(head, { width, by: 2 }), ...parts.flatMap((part) => formatPart(part, width))]
}

function formatPart({ label, name, turns }: ShownPart, width: number): string[] {
  const judged = label === undefined ? '' : `, ${label ? 'desirable' : 'undesirable'}`
  return [
    `  ${name}${judged}`,
    ...turns.map(({ role, content, learned, label: good, value }) => {
      const mark = learned ? '*' : ' '
      const step =
        good === undefined
          ? ''
          : ` (${good ? 'good' : 'bad'}${value === undefined ? '' : `, ${formatNumber(value)}`})`
      return truncate(`  ${mark} ${role}${step}: ${toLine(content)}`, width)
    }),
  ]
}
