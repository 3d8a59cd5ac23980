import fc from 'fast-check'
import { expect, it } from 'vitest'
import { flattenMessages, parseFlatMessages } from '../../../shared/play/models/flatten-messages.ts'

it('gives back the messages that it made one text of', () => {
  const content = fc.string({ unit: fc.constantFrom('a', '\n', '[', ']', ' ', 'é') })
  const message = fc.record({ role: fc.constantFrom('system', 'user', 'assistant'), content })
  fc.assert(
    fc.property(fc.array(message, { maxLength: 6 }), (messages) => {
      expect(parseFlatMessages(flattenMessages(messages))).toEqual(messages)
    }),
  )
})

it('takes a text without roles for what the user said', () => {
  expect(parseFlatMessages('just a text')).toEqual([{ role: 'user', content: 'just a text' }])
})
