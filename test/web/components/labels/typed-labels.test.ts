import fc from 'fast-check'
import { expect, test } from 'vitest'
import { labelChangeSchema } from '../../../../shared/core/contracts/labels.ts'
import { applyLabels, toLabels } from '../../../../shared/core/engine/labels/labels.ts'
import { readTags, toChange, toTyped, writeTags } from '../../../../web/components/labels/typed-labels.ts'

// Tags with and without commas; no word is in two of them.
const tagLists = fc
  .array(fc.record({ words: fc.integer({ min: 1, max: 3 }), glue: fc.constantFrom(',', ', ') }), {
    maxLength: 6,
  })
  .map((tags) =>
    tags.map(({ glue, words }, at) => Array.from({ length: words }, (_, word) => `${at}=${word}`).join(glue)),
  )

test('the tags of an entry stay whole, also where another is added, removed or moved', () => {
  fc.assert(
    fc.property(tagLists, fc.nat(), (tags, which) => {
      expect(readTags(writeTags(tags), tags)).toEqual(tags)
      expect(readTags(` new ,${writeTags(tags)},`, tags)).toEqual(['new', ...tags])
      const others = tags.toSpliced(which % Math.max(1, tags.length), 1)
      expect(readTags(writeTags(others), tags)).toEqual(others)
      expect(readTags(writeTags(tags.toReversed()), tags)).toEqual(tags.toReversed())
    }),
  )
})

test('tags that nobody has named before end at a comma', () => {
  expect(readTags('one, ,two words,one,')).toEqual(['one', 'two words'])
  expect(readTags('lr=1,wd=0', ['lr=1'])).toEqual(['lr=1', 'wd=0'])
})

test('a change holds the edited fields alone, and tags by their difference', () => {
  const labels = { name: 'a', experiment: 'depth', tags: ['lr=1e-4,wd=0', 'kept'], note: ' A note.' }
  const typed = toTyped(labels)
  expect(toChange(typed, labels)).toEqual({})
  expect(toChange({ ...typed, name: 'b' }, labels)).toEqual({ name: 'b' })
  expect(toChange({ ...typed, note: ' ', experiment: '' }, labels)).toEqual({ note: null, experiment: null })
  expect(toChange({ ...typed, tags: `${typed.tags}, new` }, labels)).toEqual({ add_tags: ['new'] })
  expect(toChange({ ...typed, tags: 'kept' }, labels)).toEqual({ remove_tags: ['lr=1e-4,wd=0'] })
  expect(toChange({ ...typed, tags: '' }, labels)).toEqual({ remove_tags: labels.tags })
})

test('a saved change leads to the typed labels', () => {
  fc.assert(
    fc.property(tagLists, fc.constantFrom('', 'a', 'b'), tagLists, (tags, name, others) => {
      const labels = { name: 'a', tags, note: 'A note.' }
      const change = toChange({ ...toTyped(labels), name, tags: writeTags(others) }, labels)
      expect(labelChangeSchema.safeParse(change).success).toBe(true)
      const after = applyLabels(toLabels(labels), change, 0)
      expect(after).toMatchObject({ name: name || null, experiment: null, note: 'A note.' })
      expect(new Set(after.tags)).toEqual(new Set(readTags(writeTags(others), tags)))
    }),
  )
})
