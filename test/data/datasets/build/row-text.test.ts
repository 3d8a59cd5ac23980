import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowText } from '../../../../shared/data/datasets/build/row-text.ts'

test('half of an emoji becomes U+FFFD, and nothing else is changed', () => {
  const text = rowText({ messages: [{ role: 'user', content: 'a 😀 b \ud83d c \\ud83d' }] })
  expect(JSON.parse(text)).toEqual({ messages: [{ role: 'user', content: 'a 😀 b \ufffd c \\ud83d' }] })
})

test('every text is well formed when it is read again, and the same if it was before', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 20 }), fc.boolean(), (whole, cut) => {
      const content = cut ? `${whole}😀`.slice(0, -1) : whole
      const read = JSON.parse(rowText({ content })) as { content: string }
      expect(read.content).toBe(content.toWellFormed())
    }),
  )
})
