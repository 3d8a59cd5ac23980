import type { DatasetRequest } from '../../../core/contracts/dataset.ts'
import type { RowMessage, WeightedMessage } from '../../../core/contracts/dataset-row.ts'
import { seededRandom } from '../../../core/random/seeded-random.ts'
import { shuffled } from '../../../core/random/shuffled.ts'
import type { DatasetFormat } from '../../formats/trainer-format.ts'
import type { Gatekeeper } from '../gates/gatekeeper.ts'
import { inspectRow } from '../inspect-row.ts'
import type { DatasetKind, FoundRow } from '../kind.ts'
import { renderPath } from '../kinds/render-path.ts'
import type { ListedAttempt, OpenAttempts } from '../open-attempts.ts'
import type { Tokenizer } from '../tokens/open-tokenizer.ts'
import { type PlannedTask, taskKey } from './plan.ts'
import { lineageOf, rowFacts } from './row-lineage.ts'
import { type StructureOfRows, structureOf } from './row-structure.ts'
import { writeRow } from './row-text.ts'
import type { SplitFiles } from './split-files.ts'

export interface MixNeeds {
  attempts: OpenAttempts
  kind: DatasetKind
  format: DatasetFormat
  tokenizer: Tokenizer
  signal?: AbortSignal | undefined
}

export interface Mixed {
  seen: number
  rows: number
  warnings: string[]
}

/**
 * Number of conversations for a share of a dataset, beside a number of task rows.
 *
 * @example
 * mixedCount(80, 0.2) // 20: of 100 rows in all
 */
export function mixedCount(rows: number, share: number): number {
  return Math.round((rows * share) / (1 - share))
}

/**
 * Adds general conversations after the rows of each split, as many as the requested share needs. Draws them by the
 * dataset's seed, none of them twice, and passes them through the gates; a dropped one is replaced by another draw.
 * The same request yields the same rows, even when assembled again.
 *
 * @see Yuan et al. 2025, Agent-R (arXiv 2501.11425): revisions are mixed with ShareGPT conversations
 */
export async function mixIn(
  request: DatasetRequest,
  {
    files,
    keeper,
    seen: before,
    structure,
  }: { files: SplitFiles; keeper: Gatekeeper; seen: number; structure: StructureOfRows },
  needs: MixNeeds,
): Promise<Mixed> {
  const { mix, seed, splits } = request
  if (mix === undefined) return { seen: before, rows: 0, warnings: [] }
  const listed = await listAll(needs, mix.trajectories)
  const order = shuffled([...listed.keys()], seededRandom('mix', seed))
  const rowsOf = Object.values(files.counts()).map(({ rows }) => rows)
  let seen = before
  let rows = 0
  let next = 0
  let isShort = false
  for (const [place, own] of rowsOf.entries()) {
    let missing = mixedCount(own, mix.share)
    while (missing > 0 && next < order.length) {
      // Trees are stored in the order of their rows, so read them in it.
      const drawn = order.slice(next, next + missing).sort((one, other) => one - other)
      next += drawn.length
      for (const at of drawn) {
        const row = await openRow(listed[at] as ListedAttempt, request.pictures === 'show', needs)
        if (row === null) continue
        seen += 1
        const split = splits === undefined ? null : place
        if (keeper.take({ ...row.marks, ...row.facts, split }) !== null) continue
        structure.add(row.structure)
        await files.add(place, { ...row, seen, pictures: [] })
        rows += 1
        missing -= 1
      }
    }
    isShort ||= missing > 0
  }
  const warnings = isShort
    ? [
        `There are too few general conversations for a share of ${mix.share}: ${rows} of the ${listed.length} were fit and were mixed in. Name more of them in "mix", or lower the share.`,
      ]
    : []
  return { seen, rows, warnings }
}

async function listAll({ attempts, signal }: MixNeeds, imports: readonly string[]): Promise<ListedAttempt[]> {
  const listed: ListedAttempt[] = []
  for (const id of imports) {
    for await (const attempt of attempts.list(await attempts.source(id))) {
      if (listed.length % 1000 === 0) signal?.throwIfAborted()
      if (typeof attempt !== 'string') listed.push(attempt)
    }
  }
  return listed
}

async function openRow(
  listed: ListedAttempt,
  isPictured: boolean,
  { attempts, format, kind, tokenizer, signal }: MixNeeds,
) {
  signal?.throwIfAborted()
  const attempt = attempts.reopen(
    { ...listed, facts: { ...listed.facts, task_split: null } },
    async () => null,
  )
  const tree = await attempt.tree()
  const path = renderPath(tree, tree.best)
  if (typeof path === 'string') return null
  const found: FoundRow = {
    row: { type: 'conversation', messages: learned([...path.head, ...path.turns]) },
    origin: { attempt, node_ids: path.node_ids },
  }
  const { environment, data, task } = attempt
  const planned: PlannedTask = {
    environment,
    data,
    task,
    task_split: null,
    position: 0,
    attempts: [],
    experts: [],
  }
  const marks = inspectRow(found.row, tree.messages, tokenizer, attempt.model)
  const lineage = JSON.stringify(lineageOf(kind, planned, found, marks))
  const { text, unfit } = writeRow(format, found, rowFacts(kind, planned, found, 0, isPictured))
  // Each is a task of its own: equal beginnings are no reason to keep two in one split.
  const name = taskKey({ environment, data, task: `${attempt.source}/${attempt.episode}` })
  return {
    marks,
    text,
    lineage,
    structure: structureOf(found),
    task: { task: name, task_split: null, prompts: [marks.prompt] },
    facts: { task: name, task_split: null, unfit: unfit !== null },
  }
}

function learned(messages: readonly RowMessage[]): WeightedMessage[] {
  return messages.map(({ role, content, ...thoughts }) =>
    role === 'assistant' ? { role, content, ...thoughts, weight: 1 } : { role, content },
  )
}
