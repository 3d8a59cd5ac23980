import { formatBytes, formatCount, formatMoney, noNumber } from '../shared/core/client/format-quantity.ts'
import { workWord } from '../shared/core/client/status-words.ts'
import type { Dataset, DatasetFormatInfo, DatasetKindInfo } from '../shared/core/contracts/dataset.ts'
import { gates } from '../shared/core/contracts/gates.ts'
import { leftOutReasons } from '../shared/core/contracts/left-out-reasons.ts'
import type { Run } from '../shared/core/contracts/run.ts'
import { toLine, wrap } from './fit-text.ts'
import { describeParameters, hang, listParameters } from './format-parameters.ts'
import { formatTable } from './format-table.ts'

export function formatDatasets(datasets: Dataset[], width: number): string[] {
  if (datasets.length === 0) return ['No datasets yet. Build one: espalier export --help']
  const columns = [
    { header: 'dataset' },
    { header: 'status' },
    { header: 'name', flexible: true },
    { header: 'kind' },
    { header: 'format' },
    { header: 'rows', align: 'right' as const },
    { header: 'size', align: 'right' as const },
  ]
  return formatTable(
    columns,
    datasets.map((dataset) => [
      dataset.id,
      dataset.status === 'running' ? dataset.progress.phase : workWord(dataset.status),
      dataset.name ?? noNumber,
      dataset.request.kind,
      dataset.request.format,
      formatCount(dataset.rows),
      dataset.files.length === 0 ? noNumber : formatBytes(sizeOf(dataset)),
    ]),
    width,
  )
}

export function formatDataset(
  dataset: Dataset,
  { width, asked = null }: { width: number; asked?: Run | null },
): string[] {
  const { error, gates: counts, left_out, request, rows, tokens, warnings } = dataset
  const leftOut = Object.entries(left_out)
  const found = Object.entries(counts).filter(([, count]) => count.found > 0)
  return [
    `dataset   ${dataset.id}${dataset.name === null ? '' : `  (${dataset.name})`}`,
    `status    ${statusOf(dataset)}${error === null ? '' : `: ${error}`}`,
    `kind      ${request.kind}, format ${request.format}`,
    ...settingsOf(request),
    `rows      ${formatCount(rows)}${splitsIn(dataset)}${dataset.files.length === 0 ? '' : `, ${formatBytes(sizeOf(dataset))} in ${dataset.files.length} files`}`,
    ...(tokens === null
      ? []
      : [
          `tokens    ${formatCount(tokens.total)}, the longest row ${formatCount(tokens.longest)} (${tokens.tokenizer})`,
        ]),
    ...picturesIn(dataset),
    ...(asked === null
      ? []
      : [
          `asked     ${formatMoney(asked.usage.cost)}, ${formatCount(asked.usage.model_calls)} calls: ${asked.id}`,
        ]),
    ...counted(
      'left out',
      leftOut.map(([reason, count]) => [count, reason, leftOutReasons]),
    ),
    ...counted(
      'gates',
      found.map(([gate, count]) => [count.found, gate, gates, kept(count)]),
    ),
    ...warnings.map((warning) => `note      ${warning}`),
  ].flatMap((line) => hang(line, { width, by: indent }))
}

function picturesIn({ pictures }: Dataset): string[] {
  if (pictures === undefined) return []
  const { bytes, files, left_out, rows, rows_without } = pictures
  return rows_without > 0
    ? [`pictures  ${formatCount(left_out)} left out of ${formatCount(rows_without)} rows`]
    : [`pictures  ${formatCount(files)} in ${formatCount(rows)} rows, ${formatBytes(bytes)}`]
}

function settingsOf({ parameters }: Dataset['request']): string[] {
  const settings = Object.entries(parameters).map(([name, value]) => {
    return `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`
  })
  return settings.length === 0 ? [] : [`with      ${settings.join(' ')}`]
}

const indent = 10

export function describeDataset(
  dataset: Dataset,
  folder: string,
  options: { width: number; asked?: Run | null },
): string[] {
  return [
    ...formatDataset(dataset, options),
    `folder    ${folder}`,
    ...(dataset.rows === 0
      ? []
      : [`load it   datasets.load_dataset("${folder}")  (Python); for trainers: ${folder}/README.md`]),
  ]
}

export function formatKinds(kinds: DatasetKindInfo[], width: number): string[] {
  return [
    ...kinds.flatMap((kind) => [
      ...hang(`${kind.id}: ${kind.description}`, { width, by: 2 }),
      ...listParameters(kind.parameters, width),
      ...hang(`  formats: ${kind.formats.join(', ')}`, { width, by: 4 }),
    ]),
    '',
    ...wrap('What a parameter is: espalier datasets --kinds KIND', width),
  ]
}

export function formatKind(kind: DatasetKindInfo, width: number): string[] {
  return [
    ...hang(`${kind.id}: ${kind.description}`, { width, by: 2 }),
    ...hang(`  source: ${kind.source}`, { width, by: 4 }),
    ...hang(`  formats: ${kind.formats.join(', ')}`, { width, by: 4 }),
    ...(kind.asks_model ? ['  may ask a model, as parameters decide (--endpoint, --model, --max-cost)'] : []),
    ...describeParameters(kind.parameters, width),
  ]
}

export function formatFormats(formats: DatasetFormatInfo[], width: number): string[] {
  return formatTable(
    [{ header: 'format' }, { header: 'files' }, { header: 'what for', flexible: true }],
    formats.map(({ id, container, description }) => [id, container, description]),
    width,
  )
}

function statusOf({ progress, status }: Dataset): string {
  if (status !== 'running') return workWord(status)
  const parts = progress.parts === 0 ? '' : `, ${progress.parts_done} of ${progress.parts} parts`
  return `${progress.phase}${parts}`
}

function splitsIn({ request, splits }: Dataset): string {
  const each = Object.entries(splits).map(
    ([name, { rows, tasks }]) => `${name} ${formatCount(rows)} of ${formatCount(tasks)} tasks`,
  )
  if (request.splits !== undefined) return each.length === 0 ? '' : ` (${each.join(', ')})`
  const tasks = Object.values(splits).reduce((sum, split) => sum + split.tasks, 0)
  return tasks === 0 ? '' : ` of ${formatCount(tasks)} tasks`
}

function kept({ found, dropped }: { found: number; dropped: number }): string {
  return dropped === found ? '' : `, ${formatCount(found - dropped)} kept`
}

export function counted(
  name: string,
  lines: [count: number, id: string, words: Readonly<Record<string, string>>, more?: string][],
): string[] {
  return lines.map(
    ([count, id, words, more = ''], at) =>
      `${(at === 0 ? name : '').padEnd(indent)}${formatCount(count)} ${id}: ${toLine(words[id] ?? '')}${more}`,
  )
}

function sizeOf({ files }: Dataset): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}
