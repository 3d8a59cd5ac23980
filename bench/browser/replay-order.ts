import type { SessionBackend } from '../../containers/env-host/session-backend.ts'
import type { TreeEntry } from '../../shared/search/tree-entry.ts'

/** Seconds that ExACT waits after each action (`sleep_after_execution`). */
export const exactWait = 2.5

export interface ReplayedOrder {
  actions: number
  resets: number
  /** Of actions and resets in the browser, without the fixed waits. */
  seconds: number
}

/**
 * Takes the actions of a search in the order of ExACT's code, which restores no state: before each iteration but a search's first, and
 * before each action that is committed, the browser is reset and all actions that were committed are taken again; then each action
 * of the path from the root of the search to its leaf is.
 *
 * @param entries of a journal, as R-MCTS wrote them with a search for each real step: each value backed up is one iteration
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), its code for VisualWebArena
 */
export async function replayExactOrder(
  backend: SessionBackend,
  entries: readonly TreeEntry[],
): Promise<ReplayedOrder> {
  const nodes: { parent: number; action: string }[] = [{ parent: -1, action: '' }]
  let history: number[] = []
  let isFirst = true
  const counted = { actions: 0, resets: 0 }
  const start = performance.now()
  const pathTo = (node: number): number[] => {
    const parent = nodes[node]?.parent ?? -1
    return parent < 0 ? [] : [...pathTo(parent), node]
  }
  const take = async (path: readonly number[]): Promise<void> => {
    for (const node of path) {
      const { done } = await backend.step(nodes[node]?.action ?? '')
      counted.actions += 1
      if (done) return
    }
  }
  const begin = async (): Promise<void> => {
    await backend.reset()
    counted.resets += 1
    await take(history)
  }
  await backend.reset()
  counted.resets += 1
  for (const entry of entries) {
    if ('node' in entry) nodes.push({ parent: entry.node.parent, action: entry.node.action })
    if ('backup' in entry) {
      if (!isFirst) await begin()
      isFirst = false
      await take(pathTo(entry.backup.node).slice(history.length))
    }
    if ('commit' in entry) {
      const path = pathTo(entry.commit.node)
      await begin()
      await take(path.slice(history.length))
      history = path
      isFirst = true
    }
  }
  return { ...counted, seconds: (performance.now() - start) / 1000 }
}
