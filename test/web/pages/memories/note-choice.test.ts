import { expect, test } from 'vitest'
import { readNoteChoice } from '../../../../web/pages/memories/note-choice.ts'

const read = (query: string) => readNoteChoice(new URLSearchParams(query))

test('what the address chooses is read, and what there is not to choose is nothing', () => {
  expect(read('')).toEqual({ side: null, text: '', sort: 'written', shownIn: null })
  expect(read('side=value&text=key&sort=use&in=run-2')).toEqual({
    side: 'value',
    text: 'key',
    sort: 'use',
    shownIn: 'run-2',
  })
  expect(read('side=toString&sort=constructor')).toMatchObject({ side: null, sort: 'written' })
})

test('a text is no longer than the service takes', () => {
  expect(read(`text=${'x'.repeat(500)}`).text).toHaveLength(200)
})
