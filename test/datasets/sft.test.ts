import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Tree } from '../../shared/contracts/tree.ts'
import { openaiChatLine } from '../../shared/datasets/formats/openai-chat.ts'
import { sftRow } from '../../shared/datasets/kinds/sft.ts'
import { head, treeNode, treeOf } from './stored-runs.ts'

describe('an sft row', () => {
  test('is the path to the answer, without dead ends and without the last observation', () => {
    const tree = treeOf('stick', 3, [
      treeNode(null, 'root'),
      treeNode(0, 'look around'),
      treeNode(0, 'get log'),
      treeNode(2, 'craft stick'),
    ])
    expect(sftRow(tree)).toEqual({
      node_ids: [0, 2, 3],
      messages: [
        ...head,
        { role: 'assistant', content: 'Action: get log' },
        { role: 'user', content: 'after get log' },
        { role: 'assistant', content: 'Action: craft stick' },
      ],
    })
  })

  test('joins the text parts of an observation', () => {
    const observation = ['one', 'two'].map((text) => ({ type: 'text' as const, text }))
    const tree = treeOf('stick', 2, [
      treeNode(null, 'root'),
      treeNode(0, 'a', { observation }),
      treeNode(1, 'b'),
    ])
    expect(sftRow(tree)).toHaveProperty('messages.5', { role: 'user', content: 'one\ntwo' })
  })

  test('is not made where nothing was found or where no model spoke', () => {
    expect(sftRow(treeOf('stick', 0, [treeNode(null, 'root')]))).toBe('no_model_message')
    const silent = treeOf('stick', 1, [treeNode(null, 'root'), treeNode(0, 'a', { message: null })])
    expect(sftRow(silent)).toBe('no_model_message')
  })

  test('is not made of pictures, but a picture after the last answer does no harm', () => {
    const observation = [{ type: 'blob' as const, sha256: 'f'.repeat(64), media_type: 'image/png' }]
    const seen = treeNode(0, 'a', { observation })
    expect(sftRow(treeOf('stick', 2, [treeNode(null, 'root'), seen, treeNode(1, 'b')]))).toBe('not_text')
    expect(sftRow(treeOf('stick', 1, [treeNode(null, 'root'), seen]))).toHaveProperty('node_ids', [0, 1])
  })

  test('refuses a tree whose parents do not stand before their children', () => {
    const broken = treeOf('stick', 1, [treeNode(null, 'root'), treeNode(1, 'a')])
    expect(() => sftRow(broken)).toThrow('broken at node 1')
  })
})

const anyTree: fc.Arbitrary<Tree> = fc
  .array(fc.tuple(fc.nat(), fc.string()), { minLength: 1, maxLength: 30 })
  .chain((parts) => {
    const nodes = [
      treeNode(null, 'root'),
      ...parts.map(([parent, message], index) => treeNode(parent % (index + 1), `n${index}`, { message })),
    ]
    return fc.integer({ min: 1, max: nodes.length - 1 }).map((best) => treeOf('stick', best, nodes))
  })

test('every row alternates after its head, ends on the answer of its last node, and survives its line', () => {
  fc.assert(
    fc.property(anyTree, (tree) => {
      const row = sftRow(tree)
      if (typeof row === 'string') throw new Error(row)
      const played = row.messages.slice(head.length)
      expect(row.messages.slice(0, head.length)).toEqual(head)
      for (const [index, { role }] of played.entries()) {
        expect(role).toBe(index % 2 === 0 ? 'assistant' : 'user')
      }
      expect(row.messages.at(-1)).toEqual({ role: 'assistant', content: tree.nodes[tree.best]?.message })
      expect(row.node_ids.slice(1).map((id) => tree.nodes[id]?.parent)).toEqual(row.node_ids.slice(0, -1))
      const line = openaiChatLine(row)
      expect(line).not.toContain('\n')
      expect(JSON.parse(line)).toEqual({ messages: row.messages })
    }),
  )
})
