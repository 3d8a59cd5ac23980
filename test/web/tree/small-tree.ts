import type { Tree, TreeNode } from '../../../shared/contracts/tree.ts'

/**
 * A tree with a node for each entry of the list.
 *
 * @example
 * smallTree([null, 0, 0, 1]) // a root with two children, the first of which has one
 */
export function smallTree(parents: (number | null)[], over: Record<number, Partial<TreeNode>> = {}): Tree {
  const nodes: TreeNode[] = []
  parents.forEach((parent, index) => {
    nodes.push({
      parent,
      depth: parent === null ? 0 : (nodes[parent]?.depth ?? 0) + 1,
      action: parent === null ? null : `action ${index}`,
      message: parent === null ? null : `message ${index}`,
      observation: [{ type: 'text', text: `observation ${index}` }],
      reward: 0,
      terminal: false,
      done: false,
      disaster: false,
      visits: 1,
      value: 0,
      prior: 1,
      state_hash: null,
      ...over[index],
    })
  })
  return {
    schema_version: 'espalier-tree-v1',
    environment: 'e',
    task: 't',
    method: 'm',
    messages: [],
    best: 0,
    nodes,
  }
}

/** Parents of a random tree, for property tests: each number chooses among the nodes before it. */
export function parentsOf(choices: readonly number[]): (number | null)[] {
  return [null, ...choices.map((choice, index) => choice % (index + 1))]
}
