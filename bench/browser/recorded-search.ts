import type { TreeEntry } from '../../shared/search/tree-entry.ts'

/** A node of a search as its journal has it. */
export interface RecordedNode {
  parent: number
  action: string
  /** What the environment showed there. */
  shown: string
  /** Actions that the environment took for it: none where an answer could not be read, several for a program. */
  actions: number
}

/** The nodes that a search has recorded so far. */
export class RecordedSearch {
  readonly nodes: RecordedNode[] = []

  /** @returns the number of the node that the entry added; null where it added none */
  add(entry: TreeEntry): number | null {
    if ('open' in entry) this.nodes.push({ parent: -1, action: '', shown: text(entry.open), actions: 0 })
    else if ('node' in entry) {
      const { parent, action, primitives } = entry.node
      this.nodes.push({ parent, action, shown: text(entry.node), actions: primitives?.length ?? 1 })
    } else return null
    return this.nodes.length - 1
  }

  node(index: number): RecordedNode {
    const node = this.nodes[index]
    if (node === undefined) throw new RangeError(`The search has no node ${index}.`)
    return node
  }

  /** The nodes from the first action to a node, that included. */
  pathTo(index: number): number[] {
    const { parent } = this.node(index)
    return parent < 0 ? [] : [...this.pathTo(parent), index]
  }
}

export interface LeastActions {
  /** Different actions at different states: each has to be taken once, even if states could be copied. */
  first: number
  /** With as many sessions as one likes, each of which goes on from where it stands: one way to each leaf. */
  replayed: number
}

/** The least actions that a search can take in an environment that the same actions bring to the same states. */
export function countLeastActions(entries: readonly TreeEntry[]): LeastActions {
  const search = new RecordedSearch()
  const depths = new Map<string, number>()
  const inner = new Set<string>()
  for (const entry of entries) {
    const index = search.add(entry)
    if (index === null || search.node(index).actions === 0) continue
    const path = search.pathTo(index).map((at) => search.node(at))
    const nameOf = (steps: readonly RecordedNode[]) => JSON.stringify(steps.map(({ action }) => action))
    depths.set(nameOf(path), sum(path))
    inner.add(nameOf(path.slice(0, -1)))
  }
  const leaves = [...depths].filter(([name]) => !inner.has(name))
  return { first: depths.size, replayed: leaves.reduce((total, [, depth]) => total + depth, 0) }
}

function sum(path: readonly RecordedNode[]): number {
  return path.reduce((total, { actions }) => total + actions, 0)
}

function text({ observation }: { observation: readonly { type: string; text?: string }[] }): string {
  return observation.map((part) => part.text ?? '').join('\n')
}
