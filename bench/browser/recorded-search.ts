import type { TreeEntry } from '../../shared/play/search/tree-entry.ts'

export interface RecordedNode {
  parent: number
  action: string
  shown: string
  /** Actions that the environment took for it: none for an unreadable answer, several for a program. */
  actions: number
}

export class RecordedSearch {
  readonly nodes: RecordedNode[] = []

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

  pathTo(index: number): number[] {
    const { parent } = this.node(index)
    return parent < 0 ? [] : [...this.pathTo(parent), index]
  }
}

export interface LeastActions {
  first: number
  replayed: number
}

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
