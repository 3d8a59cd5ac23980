import { describe, expect, test } from 'vitest'
import { countExactMachineOrder } from '../../../bench/browser/machine-order.ts'
import { countLeastActions } from '../../../bench/browser/recorded-search.ts'
import type { TreeEntry } from '../../../shared/play/search/tree-entry.ts'

/** A search whose nodes are given by their parents, in the order in which they were added; the first is node 1. */
function searchOf(parents: readonly number[], ...more: readonly object[]): TreeEntry[] {
  const observation = [{ type: 'text', text: 'a screen' }]
  const nodes = parents.map((parent, index) => ({
    node: { parent, action: `action ${index + 1}`, observation },
  }))
  return [{ open: { observation } }, ...nodes, ...more] as unknown as TreeEntry[]
}

const commit = (node: number) => ({ commit: { node } })

describe('the order of ExACT with a machine for each prefix', () => {
  test('goes on in the machine that stands where an action begins', () => {
    // One path of three actions in one machine, and the same three in the machine that was kept for the answer.
    expect(countExactMachineOrder(searchOf([0, 1, 2], commit(3)))).toEqual({ actions: 6, machines: 2 })
  })

  test('takes a fresh machine for each sibling, because the first has left their parent', () => {
    // 1 under the root; 2, 3 and 4 under 1.
    const siblings = searchOf([0, 1, 1, 1], commit(1))
    expect(countExactMachineOrder(siblings)).toEqual({ actions: 1 + 1 + 2 + 2 + 1, machines: 4 })
    expect(countLeastActions(siblings)).toEqual({ first: 4, replayed: 6 })
  })

  test('walks up to the machine that stands nearest above, and that leaves its place', () => {
    // A machine goes to 3 by 1 and 2; another to 4 under 1; 5 under 4 goes on there; 6 under 4 begins anew.
    const tree = searchOf([0, 1, 2, 1, 4, 4], commit(6))
    expect(countExactMachineOrder(tree)).toEqual({ actions: 3 + 2 + 1 + 3 + 3, machines: 4 })
  })

  test('counts several actions of one answer, and none of an answer that could not be read', () => {
    const [open, first] = searchOf([0]) as [TreeEntry, { node: object }]
    const program = { node: { ...first.node, primitives: [{}, {}] } } as unknown as TreeEntry
    const unread = { node: { ...first.node, parent: 1, action: '', primitives: [] } } as unknown as TreeEntry
    const counted = countExactMachineOrder([open, program, unread, commit(1)])
    expect(counted).toEqual({ actions: 4, machines: 2 })
  })

  test('plays the most visited path in the end where the search committed to none', () => {
    const backups = [1, 2, 2, 3].map((node) => ({ backup: { node, value: 0 } }))
    const tree = searchOf([0, 0, 2], ...backups)
    expect(countExactMachineOrder(tree)).toEqual({ actions: 1 + 1 + 1 + 2, machines: 3 })
  })
})

test('equal actions at equal states are taken once where states are known again', () => {
  const [open, node] = searchOf([0]) as [TreeEntry, TreeEntry]
  expect(countLeastActions([open, node, node])).toEqual({ first: 1, replayed: 1 })
})
