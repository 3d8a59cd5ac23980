import type { DatasetRequest } from '../../../core/contracts/dataset.ts'
import type { Objects } from '../../../core/world/ports.ts'
import { pictureFile } from '../../formats/picture-names.ts'
import type { DatasetFormat } from '../../formats/trainer-format.ts'
import { inspectRow } from '../inspect-row.ts'
import type { DatasetKind, FoundRow } from '../kind.ts'
import type { Tokenizer } from '../tokens/open-tokenizer.ts'
import { inOrder } from './in-order.ts'
import { LeftOut } from './left-out.ts'
import { type AttemptHead, type GroupNeeds, openGroup } from './open-group.ts'
import { type PartRow, PieceWriter } from './part-rows.ts'
import { type PartTask, storePartTasks } from './part-tasks.ts'
import { type PlannedTask, taskKey } from './plan.ts'
import { randomOf } from './random-of.ts'
import { lineageOf, rowFacts } from './row-lineage.ts'
import { structureOf, withTools } from './row-structure.ts'
import { writeRow } from './row-text.ts'
import { rowPictures, settlePictures } from './settle-pictures.ts'

/**
 * Tasks whose first rows are found concurrently: enough to hide some of the latency of S3, few enough to hold their
 * trees.
 */
const tasksAtOnce = 2

export interface CollectNeeds extends GroupNeeds {
  objects: Objects
  request: DatasetRequest
  kind: DatasetKind
  format: DatasetFormat
  tokenizer: Tokenizer
  tasks: PlannedTask[]
  keys: { tasks: string; rows(piece: number): string }
  signal?: AbortSignal | undefined
}

export interface CollectedPart {
  pieces: number
  rows: number
  left_out: Record<string, number>
}

/**
 * Builds the rows of a part's tasks and stores them with their marks. Rows depend only on the request and the
 * attempts, so any worker may collect a part, at any time, and more than once.
 *
 * @throws EspalierError `conflict` if an episode was extended after planning
 */
export async function collectPart(needs: CollectNeeds): Promise<CollectedPart> {
  const { objects, keys, signal, tasks } = needs
  const leftOut = new LeftOut()
  const partTasks: PartTask[] = []
  const pieces = new PieceWriter(async (piece, body) => {
    await objects.put(keys.rows(piece), body, { content_type: 'application/zstd' })
  })
  for await (const { found, place, task, headOf, first } of inOrder(tasks.entries(), tasksAtOnce, begin)) {
    signal?.throwIfAborted()
    const prompts = new Set<string>()
    let row = 0
    for (let next = first; next.done !== true; next = await found.next()) {
      if ('left_out' in next.value) {
        leftOut.add(next.value.left_out)
        continue
      }
      signal?.throwIfAborted()
      const head = await headOf(next.value.origin.attempt)
      const settled = withTools(settlePictures(next.value, needs.request.pictures), head.tools)
      const made = toPartRow(needs, settled, { place, task, head, row })
      prompts.add(made.marks.prompt)
      await pieces.add(made)
      row += 1
    }
    partTasks.push({ task: taskKey(task), task_split: task.task_split, prompts: [...prompts] })
  }
  const { count, rows } = await pieces.end()
  await storePartTasks(objects, keys.tasks, partTasks)
  return { pieces: count, rows, left_out: leftOut.counts() }

  async function begin([place, task]: [number, PlannedTask]) {
    const { kind, request } = needs
    const { group, headOf } = openGroup(needs, task)
    const scope = {
      random: (key: string) => randomOf(request, task, key),
      signal,
      pictures: request.pictures,
    }
    const found = kind.rows(group, request.parameters, scope)[Symbol.asyncIterator]()
    return { found, place, task, headOf, first: await found.next() }
  }
}

function toPartRow(
  { format, kind, request, tokenizer }: CollectNeeds,
  found: FoundRow,
  { place, task, head, row }: { place: number; task: PlannedTask; head: AttemptHead; row: number },
): PartRow {
  const marks = inspectRow(found.row, head.messages, tokenizer, found.origin.attempt.model)
  const lineage = JSON.stringify(lineageOf(kind, task, found, marks))
  const facts = rowFacts(kind, task, found, row, request.pictures === 'show')
  return {
    task: place,
    marks,
    same_action: found.same_action === true,
    pictures: rowPictures(found.row).map(pictureFile),
    left_out_pictures: found.left_out_pictures ?? 0,
    ...structureOf(found),
    lineage,
    ...writeRow(format, found, facts),
  }
}
