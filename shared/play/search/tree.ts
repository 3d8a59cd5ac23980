import type { Thinking } from '../../core/contracts/message.ts'
import type { Tree, TreeNode } from '../../core/contracts/tree.ts'
import { isLaterCall } from './several-calls.ts'
import type { BackupEntry, CommitEntry, NodeEntry, OpenEntry, TreeEntry } from './tree-entry.ts'

/** A node as a search works on it. `value_sum` over `visits` is `value` in `tree.json`. */
export interface SearchNode extends Omit<TreeNode, 'value' | 'reasoning'> {
  thinking?: Thinking
  index: number
  children: number[]
  value_sum: number
  effect: string | null
}

/** The tree of one episode. It is a fold of its entries: the same entries in the same order build the same tree. */
export class SearchTree {
  readonly nodes: SearchNode[]
  readonly #open: OpenEntry['open']
  #answer = 0
  #isCommitted = false
  #steps = 0
  #unread = 0

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

  static fold(entries: Iterable<TreeEntry>): SearchTree | null {
    let tree: SearchTree | null = null
    for (const entry of entries) {
      if ('open' in entry) tree = new SearchTree(entry)
      else tree?.apply(entry)
    }
    return tree
  }

  get isSolved(): boolean {
    return this.best.reward >= this.#open.success_threshold
  }

  get successThreshold(): number {
    return this.#open.success_threshold
  }

  get root(): SearchNode {
    return this.node(0)
  }

  /**
   * The node that is the episode's answer so far, by the method's `answer`:
   *
   * - `last`: the last node of a single path;
   * - `best`: the first of highest reward, leaves before inner nodes;
   * - `committed`, `most-visited`: the committed node. Before a commitment, `most-visited` takes the end of the most
   *   visited path.
   */
  get best(): SearchNode {
    return this.#open.answer === 'most-visited' && !this.#isCommitted
      ? (this.mostVisited(this.root).at(-1) ?? this.root)
      : this.node(this.#answer)
  }

  /** Environment steps taken: one per node, or as many as its action took. */
  get steps(): number {
    return this.#steps
  }

  get unread(): number {
    return this.#unread
  }

  node(index: number): SearchNode {
    const node = this.nodes[index]
    if (!node) throw new RangeError(`The tree has no node ${index}; it has ${this.nodes.length}.`)
    return node
  }

  children(node: SearchNode): SearchNode[] {
    return node.children.map((index) => this.node(index))
  }

  path(node: SearchNode): SearchNode[] {
    const path = [node]
    for (let at = node; at.parent !== null; ) {
      at = this.node(at.parent)
      path.push(at)
    }
    return path.reverse()
  }

  statePath(node: SearchNode): SearchNode[] {
    const path: SearchNode[] = []
    for (let at = this.#stateOf(node); ; at = this.#stateOf(this.node(at.parent))) {
      path.push(at)
      if (at.parent === null) return path.reverse()
    }
  }

  #stateOf({ index, state_of = index }: SearchNode): SearchNode {
    return this.node(state_of)
  }

  mostVisited(node: SearchNode): SearchNode[] {
    const path: SearchNode[] = []
    for (let at: SearchNode | undefined = node; at !== undefined; ) {
      path.push(at)
      at = this.children(at)
        .filter(({ visits }) => visits > 0)
        .reduce<SearchNode | undefined>(
          (best, child) => (best && !isMoreVisited(child, best) ? best : child),
          undefined,
        )
    }
    return path
  }

  apply(entry: Exclude<TreeEntry, OpenEntry>): void {
    if ('node' in entry) this.#add(entry)
    else if ('backup' in entry) this.#backUp(entry)
    else if ('commit' in entry) this.#commit(entry)
    else if ('end' in entry) Object.assign(this.node(entry.end.node), entry.end.result)
    else if ('unread' in entry) this.#unread += entry.unread.answers
  }

  toTree(): Tree {
    const { environment, layout, tools, runtime, task, method, messages } = this.#open
    return {
      schema_version: 'espalier-tree-v1',
      environment,
      task,
      method,
      messages,
      ...(layout && { layout }),
      ...(tools && { tools }),
      ...(runtime !== undefined && { runtime }),
      best: this.best.index,
      nodes: this.nodes.map(
        ({ index: _index, children: _children, effect: _effect, value_sum, thinking, ...node }) => ({
          ...node,
          ...(thinking && thinking.text !== '' && { reasoning: thinking.text }),
          value: node.visits === 0 ? 0 : value_sum / node.visits,
        }),
      ),
    }
  }

  #commit({ commit: { node } }: CommitEntry): void {
    this.#answer = node
    this.#isCommitted = true
  }

  #add({ node: { parent, ...rest } }: NodeEntry): void {
    const above = this.node(parent)
    const first = isLaterCall(rest.effect) && { answer_of: above.answer_of ?? parent }
    const node = toNode(this.nodes.length, above.depth + 1, { parent, ...rest, ...first })
    this.nodes.push(node)
    above.children.push(node.index)
    this.#steps += rest.primitives?.length ?? 1
    const { answer } = this.#open
    if (answer === 'last' || (answer === 'best' && isBetter(node, this.best))) this.#answer = node.index
  }

  #backUp({ backup: { node, value } }: BackupEntry): void {
    for (const at of this.path(this.node(node)).reverse()) {
      at.visits += 1
      at.value_sum += value
      at.terminal ||=
        this.#open.answer === 'best' &&
        at.children.length > 0 &&
        this.children(at).every((child) => child.terminal)
    }
  }
}

function isBetter(node: SearchNode, best: SearchNode): boolean {
  return node.reward > best.reward || (node.reward === best.reward && node.terminal && !best.terminal)
}

function isMoreVisited(node: SearchNode, best: SearchNode): boolean {
  if (node.visits !== best.visits) return node.visits > best.visits
  return node.value_sum / node.visits > best.value_sum / best.visits
}

function toNode(
  index: number,
  depth: number,
  rest: Omit<SearchNode, 'index' | 'depth' | 'children' | 'visits' | 'value_sum'>,
): SearchNode {
  return { index, depth, children: [], visits: 0, value_sum: 0, ...rest }
}
