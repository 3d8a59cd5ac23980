import type { SessionBackend } from '../../containers/env-host/session-backend.ts'
import type { TreeEntry } from '../../shared/play/search/tree-entry.ts'
import { RecordedSearch } from './recorded-search.ts'

/** Seconds that ExACT waits after each action (`sleep_after_execution`). */
export const exactWait = 2.5

export interface ReplayedOrder {
  actions: number
  resets: number
  unshortened: number
  seconds: number
}

/**
 * Takes a search's actions in the order of ExACT's code, which restores no state. Before each iteration except a
 * search's first, and before each committed action, it resets the browser and repeats all committed actions. Then it
 * takes the path from the search's root to its leaf. As there, an action that leads to another address shortens the
 * committed actions to one `goto`.
 * @param entries of a journal, as R-MCTS wrote them with a search for each real step: each value backed up is one
 * iteration
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), its code for VisualWebArena
 */
export async function replayExactOrder(
  backend: SessionBackend,
  entries: readonly TreeEntry[],
): Promise<ReplayedOrder> {
  const search = new RecordedSearch()
  let history: string[] = []
  let root = 0
  let isFirst = true
  const counted = { actions: 0, resets: 0, unshortened: 0 }
  const start = performance.now()
  const take = async (actions: readonly string[]): Promise<void> => {
    for (const action of actions) {
      const { done } = await backend.step(action)
      counted.actions += 1
      if (done) return
    }
  }
  const begin = async (): Promise<void> => {
    await backend.reset()
    counted.resets += 1
    counted.unshortened += search.pathTo(root).length - history.length
    await take(history)
  }
  const below = (node: number) => search.pathTo(node).slice(search.pathTo(root).length)
  const actionsOf = (nodes: readonly number[]) => nodes.map((node) => search.node(node).action)
  await backend.reset()
  counted.resets += 1
  for (const entry of entries) {
    search.add(entry)
    if ('backup' in entry) {
      if (!isFirst) await begin()
      isFirst = false
      await take(actionsOf(below(entry.backup.node)))
    }
    if ('commit' in entry) {
      const path = below(entry.commit.node)
      await begin()
      await take(actionsOf(path))
      for (const node of path) history = lengthened(history, search, node)
      root = entry.commit.node
      isFirst = true
    }
  }
  const unshortened = counted.actions + counted.unshortened
  return { ...counted, unshortened, seconds: (performance.now() - start) / 1000 }
}

function lengthened(history: readonly string[], search: RecordedSearch, node: number): string[] {
  const { action, parent, shown } = search.node(node)
  const address = addressOf(shown)
  return address === addressOf(search.node(parent).shown) ? [...history, action] : [`goto [${address}]`]
}

function addressOf(shown: string): string {
  const address = /^URL: (\S+)$/m.exec(shown)?.[1]
  if (address === undefined) throw new Error('The page does not say its address.')
  return address
}
