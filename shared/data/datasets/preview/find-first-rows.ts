import type { DatasetRequest, LineageRow } from '../../../core/contracts/dataset.ts'
import type { JsonObject } from '../../../core/contracts/json.ts'
import type { ShownPart } from '../../../core/contracts/shown-row.ts'
import { showRow } from '../../formats/shown-parts.ts'
import { type DatasetFormat, UnfitRowError } from '../../formats/trainer-format.ts'
import type { LeftOut } from '../build/left-out.ts'
import { openGroup } from '../build/open-group.ts'
import { type PlannedTask, taskKey } from '../build/plan.ts'
import { randomOf } from '../build/random-of.ts'
import { lineageOf, rowFacts } from '../build/row-lineage.ts'
import { structureOf, withTools } from '../build/row-structure.ts'
import { settlePictures } from '../build/settle-pictures.ts'
import { cutParts } from '../cut-parts.ts'
import { inspectRow, type RowMarks } from '../inspect-row.ts'
import type { DatasetKind, FoundRow } from '../kind.ts'
import type { OpenAttempts } from '../open-attempts.ts'
import type { Tokenizer } from '../tokens/open-tokenizer.ts'
import type { FirstTasks } from './first-tasks.ts'

/** Maximum number of rows: one tree may yield thousands. */
const mostRows = 200
/** Maximum number of tokens: memory holds their text several times over. */
const mostTokens = 5_000_000
/** Maximum number of attempts with a tree or a journal read: an answer within a second or two for the usual size. */
const mostOpened = 50
const longestSearchMilliseconds = 8000

export interface FoundText {
  task: string
  marks: RowMarks
  same_action: boolean
  left_out_pictures: number
  thoughts: number
  lineage: Omit<LineageRow, 'row'>
  data: JsonObject | null
  unfit: string | null
  parts: ShownPart[]
}

export interface FindNeeds {
  request: DatasetRequest
  attempts: OpenAttempts
  first: FirstTasks
  leftOut: LeftOut
  kind: DatasetKind
  format: DatasetFormat
  tokenizer: Tokenizer
  now: () => number
}

export async function findFirstRows(
  needs: FindNeeds,
): Promise<{ rows: FoundText[]; tasks: number; attempts: number; complete: boolean }> {
  const { first, kind, leftOut, request } = needs
  const opened = new Set<string>()
  const attempts = noting(needs.attempts, opened)
  const until = needs.now() + longestSearchMilliseconds
  const rows: FoundText[] = []
  const read = { tasks: 0, attempts: 0 }
  let tokens = 0
  for (const task of first.tasks) {
    read.tasks += 1
    read.attempts += task.attempts.length
    const { group, headOf } = openGroup({ attempts, plan: first.plan, asked: null }, task)
    const scope = { random: (key: string) => randomOf(request, task, key), pictures: request.pictures }
    let row = 0
    for await (const finding of kind.rows(group, request.parameters, scope)) {
      if ('left_out' in finding) leftOut.add(finding.left_out)
      else {
        const { attempt } = finding.origin
        const { messages, tools } = await headOf(attempt)
        const found = withTools(settlePictures(finding, request.pictures), tools)
        const marks = inspectRow(found.row, messages, needs.tokenizer, attempt.model)
        rows.push(toFoundText(needs, task, found, { marks, row }))
        row += 1
        tokens += marks.tokens
      }
      if (rows.length >= mostRows || tokens >= mostTokens || needs.now() > until)
        return { rows, ...read, complete: false }
    }
    const isLast = task === first.tasks.at(-1)
    if (opened.size >= mostOpened && !isLast) return { rows, ...read, complete: false }
  }
  return { rows, ...read, complete: true }
}

function noting(attempts: OpenAttempts, opened: Set<string>): OpenAttempts {
  return {
    ...attempts,
    reopen(listed, annotation) {
      const attempt = attempts.reopen(listed, annotation)
      const note = () => opened.add(`${attempt.source}/${attempt.episode}`)
      return {
        ...attempt,
        async tree() {
          note()
          return attempt.tree()
        },
        async journal() {
          note()
          return attempt.journal()
        },
      }
    },
  }
}

function toFoundText(
  { format, kind, request }: FindNeeds,
  task: PlannedTask,
  found: FoundRow,
  { marks, row }: { marks: RowMarks; row: number },
): FoundText {
  const same_action = found.same_action === true
  const left_out_pictures = found.left_out_pictures ?? 0
  const lineage = lineageOf(kind, task, found, marks)
  const { thoughts } = structureOf(found)
  const common = { task: taskKey(task), marks, same_action, left_out_pictures, thoughts, lineage }
  try {
    const data = format.write(found.row, rowFacts(kind, task, found, row, request.pictures === 'show'))
    return { ...common, data, unfit: null, parts: cutParts(format.show(data, kind.id)) }
  } catch (error) {
    if (!(error instanceof UnfitRowError)) throw error
    return { ...common, data: null, unfit: error.message, parts: cutParts(showRow(found.row)) }
  }
}
