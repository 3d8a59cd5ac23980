import type { JsonObject } from '../contracts/json.ts'
import type { Tree, TreeNode } from '../contracts/tree.ts'
import type { BackupEntry, NodeEntry, OpenEntry, TreeEntry } from './tree-entry.ts'

/** A node as a search works on it. `value_sum` over `visits` is what `tree.json` calls `value`. */
export interface SearchNode extends Omit<TreeNode, 'value'> {
  index: number
  children: number[]
  value_sum: number
  /** The model call that led here; null at the root. */
  effect: string | null
}

/**
 * The tree of one episode, made of nothing but its entries: applying the same entries in the same order gives the same
 * tree.
 */
export class SearchTree {
  readonly nodes: SearchNode[]
  readonly #open: OpenEntry['open']
  #best = 0

  constructor({ open }: OpenEntry) {
    this.#open = open
    this.nodes = [
      toNode(0, 0, {
        parent: null,
        action: null,
        message: null,
        observation: open.observation,
        reward: 0,
        terminal: false,
        done: false,
        disaster: false,
        valid: true,
        progress: 0,
        prior: 1,
        state_hash: open.state_hash,
        effect: null,
      }),
    ]
  }

  /** Folds the entries of a journal; null when there is none yet. */
  static fold(entries: Iterable<JsonObject>): SearchTree | null {
    let tree: SearchTree | null = null
    for (const entry of entries as Iterable<TreeEntry>) {
      if ('open' in entry) tree = new SearchTree(entry)
      else tree?.apply(entry)
    }
    return tree
  }

  /** Whether the answer is a success. */
  get isSolved(): boolean {
    return this.best.reward >= this.#open.success_threshold
  }

  get root(): SearchNode {
    return this.node(0)
  }

  /**
   * The node that is the episode's answer so far: the last one of a single path; of a search, the first of highest
   * reward, leaves before inner nodes.
   */
  get best(): SearchNode {
    return this.node(this.#best)
  }

  /** Environment steps taken: one for each node but the root. */
  get steps(): number {
    return this.nodes.length - 1
  }

  node(index: number): SearchNode {
    const node = this.nodes[index]
    if (!node) throw new RangeError(`The tree has no node ${index}; it has ${this.nodes.length}.`)
    return node
  }

  children(node: SearchNode): SearchNode[] {
    return node.children.map((index) => this.node(index))
  }

  /** The nodes from the root to this one, both included. */
  path(node: SearchNode): SearchNode[] {
    const path = [node]
    for (let at = node; at.parent !== null; ) {
      at = this.node(at.parent)
      path.push(at)
    }
    return path.reverse()
  }

  apply(entry: NodeEntry | BackupEntry): void {
    if ('node' in entry) this.#add(entry)
    else this.#backUp(entry)
  }

  toTree(): Tree {
    const { environment, task, method, messages } = this.#open
    return {
      schema_version: 'espalier-tree-v1',
      environment,
      task,
      method,
      messages,
      best: this.#best,
      nodes: this.nodes.map(
        ({ index: _index, children: _children, effect: _effect, value_sum, ...node }) => ({
          ...node,
          value: node.visits === 0 ? 0 : value_sum / node.visits,
        }),
      ),
    }
  }

  #add({ node: { parent, ...rest } }: NodeEntry): void {
    const above = this.node(parent)
    const node = toNode(this.nodes.length, above.depth + 1, { parent, ...rest })
    this.nodes.push(node)
    above.children.push(node.index)
    const { best } = this
    const isBetter =
      node.reward > best.reward || (node.reward === best.reward && node.terminal && !best.terminal)
    if (this.#open.answer === 'last' || isBetter) this.#best = node.index
  }

  /** Adds a visit and the value along the path to the root; a node whose children are all terminal becomes terminal. */
  #backUp({ backup: { node, value } }: BackupEntry): void {
    for (const at of this.path(this.node(node)).reverse()) {
      at.visits += 1
      at.value_sum += value
      at.terminal ||= at.children.length > 0 && this.children(at).every((child) => child.terminal)
    }
  }
}

function toNode(
  index: number,
  depth: number,
  rest: Omit<SearchNode, 'index' | 'depth' | 'children' | 'visits' | 'value_sum'>,
): SearchNode {
  return { index, depth, children: [], visits: 0, value_sum: 0, ...rest }
}
