import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  faultsOf,
  type LabelChoice,
  readLabelChoice,
  writeLabelChoice,
} from '../../../../web/pages/label/label-choice.ts'
import { describeValue, labelCommand, valueKeys } from '../../../../web/pages/label/label-keys.ts'

const choices: fc.Arbitrary<LabelChoice> = fc.record({
  name: fc.string(),
  by: fc.string(),
  scale: fc.constantFrom('binary', 'graded'),
  outcome: fc.constantFrom('any', 'succeeded', 'failed', 'limited'),
  again: fc.boolean(),
  blind: fc.boolean(),
  episode: fc.option(fc.string()),
})

test('what is chosen comes back from the address', () => {
  fc.assert(
    fc.property(choices, (choice) => {
      const written = { ...choice, name: choice.name.toWellFormed(), by: choice.by.toWellFormed() }
      expect(readLabelChoice(new URLSearchParams(writeLabelChoice(written)))).toEqual(written)
    }),
  )
})

test('a name that the service would refuse says why', () => {
  expect(faultsOf({ name: 'reward', by: '' }).name).toMatch(/environment’s own score/)
  expect(faultsOf({ name: 'Very Good', by: ' ada' })).toEqual({
    name: expect.stringMatching(/small letters/),
    by: expect.stringMatching(/white space/),
  })
  expect(faultsOf({ name: 'no-detours', by: '' })).toEqual({ name: null, by: null })
})

test('each scale has its keys from 0 to 1, and no two of them are the same', () => {
  expect(labelCommand('y', 'binary')).toEqual({ value: 1 })
  expect(labelCommand('0', 'binary')).toEqual({ value: 0 })
  expect(labelCommand('1', 'graded')).toEqual({ value: 0 })
  expect(labelCommand('4', 'graded')).toEqual({ value: 0.75 })
  expect(labelCommand('y', 'graded')).toBeNull()
  for (const scale of ['binary', 'graded'] as const) {
    const keys = valueKeys[scale].flatMap((each) => each.keys)
    expect(new Set([...keys, 'j', 'k', 'l', 's', 'u', 'm']).size).toBe(keys.length + 6)
    expect(valueKeys[scale].map(({ value }) => value)).toEqual(expect.arrayContaining([0, 1]))
  }
})

test('a value of another scale is a number', () => {
  expect(describeValue(1, 'binary')).toBe('good (1.00)')
  expect(describeValue(0.75, 'binary')).toBe('0.75')
  expect(describeValue(0.75, 'graded')).toBe('4 of 5 (0.75)')
})
