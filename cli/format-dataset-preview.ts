import { formatCount, formatNumber } from '../shared/core/client/format-quantity.ts'
import type { DatasetPreview, ForeseenRow } from '../shared/core/contracts/dataset-preview.ts'
import { gates } from '../shared/core/contracts/gates.ts'
import { foreseenReasons } from '../shared/core/contracts/left-out-reasons.ts'
import type { ShownPart } from '../shared/core/contracts/shown-row.ts'
import { toLine, truncate } from './fit-text.ts'
import { counted } from './format-dataset.ts'
import { hang } from './format-parameters.ts'

const rowsPrinted = 3
const indent = 10

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
