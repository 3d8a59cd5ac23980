import type { DatasetRow } from '../../../core/contracts/dataset-row.ts'
import type { LeftOutReason } from '../../../core/contracts/left-out-reasons.ts'
import type { Tree } from '../../../core/contracts/tree.ts'
import type { Attempt, AttemptFacts } from '../attempt.ts'
import type { Finding, FoundRow, KindScope } from '../kind.ts'

/**
 * Trees of one task read concurrently: enough to hide some of the latency of storage, few enough to hold in memory.
 */
const treesAtOnce = 4

export interface RowFinder<Row extends DatasetRow> {
  keepOut(facts: AttemptFacts): LeftOutReason | null
  /**
   * The rows of one attempt, one by one: a large tree has more of them than memory should hold.
   *
   * @returns why there is none, if there is none
   */
  read(tree: Tree, attempt: Attempt): Generator<FoundRow<Row>, LeftOutReason>
}

export async function* findRows<Row extends DatasetRow>(
  attempts: readonly Attempt[],
  { signal }: KindScope,
  finder: RowFinder<Row>,
): AsyncGenerator<Finding<Row>> {
  const wanted: Attempt[] = []
  for (const attempt of attempts) {
    const reason = finder.keepOut(attempt)
    if (reason === null) wanted.push(attempt)
    else yield { attempt, left_out: reason }
  }
  const trees = readTrees(wanted, (tree) => tree, signal)
  for await (const { attempt, found } of trees) yield* findingsOf(attempt, finder.read(found, attempt))
}

function* findingsOf<Row extends DatasetRow>(
  attempt: Attempt,
  rows: Generator<FoundRow<Row>, LeftOutReason>,
): Generator<Finding<Row>> {
  let isFound = false
  for (let next = rows.next(); ; next = rows.next()) {
    if (next.done) {
      if (!isFound) yield { attempt, left_out: next.value }
      return
    }
    isFound = true
    yield next.value
  }
}

export async function* readTrees<Found>(
  attempts: readonly Attempt[],
  read: (tree: Tree, attempt: Attempt) => Found,
  signal?: AbortSignal,
): AsyncGenerator<{ attempt: Attempt; found: Found }> {
  for (let first = 0; first < attempts.length; first += treesAtOnce) {
    signal?.throwIfAborted()
    const batch = attempts.slice(first, first + treesAtOnce)
    yield* await Promise.all(
      batch.map(async (attempt) => ({ attempt, found: read(await attempt.tree(), attempt) })),
    )
  }
}
