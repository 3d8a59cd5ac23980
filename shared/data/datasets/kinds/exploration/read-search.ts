import type { Tree } from '../../../../core/contracts/tree.ts'
import type { JournalRecord } from '../../../../core/engine/journal-record.ts'
import type { TreeEntry } from '../../../../play/search/tree-entry.ts'
import { pathTo } from '../../path-to.ts'

export interface Visit {
  node: number
  value: number
}

export interface SearchDecision {
  visits: Visit[]
  target: number
}

/**
 * A search in its original order: its traversals are the backed-up values, in the order of the journal, and its
 * decisions the commitments. If the method committed to nothing, the answer is the one decision. Decisions overturned
 * later do not count.
 *
 * @returns null if no value was ever backed up: the episode was no search
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), its code for VisualWebArena: `tree_to_data` finds the traversals by
 * playing the selection again, since its trees do not keep their order
 */
export function readSearch(records: readonly JournalRecord[], tree: Tree): SearchDecision[] | null {
  const depths = new Map(pathTo(tree, tree.best).map((node, depth) => [node, depth]))
  const plans: SearchDecision[] = []
  let visits: Visit[] = []
  let isSearch = false
  for (const record of records) {
    if (!('entry' in record)) continue
    const entry = record.entry as TreeEntry
    if ('backup' in entry) {
      isSearch = true
      visits.push(entry.backup)
    } else if ('commit' in entry && depths.has(entry.commit.node)) {
      decide(entry.commit.node)
    }
  }
  if (plans.at(-1)?.target !== tree.best) decide(tree.best)
  return isSearch ? plans : null

  function decide(target: number): void {
    const last = plans.at(-1)
    // Several nodes in one go, or the same one again: one decision.
    if (last && (visits.length === 0 || (depths.get(target) ?? 0) <= (depths.get(last.target) ?? 0))) {
      last.visits = [...last.visits, ...visits]
      last.target = target
    } else {
      plans.push({ visits, target })
    }
    visits = []
  }
}
