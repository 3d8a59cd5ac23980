import { expect, test } from 'vitest'
import { compareEpisodesAddress, readComparedEpisodes } from '../../../web/format/addresses.ts'

const read = (address: string) => readComparedEpisodes(new URL(address, 'http://localhost').searchParams)

test('an address is read as it was written', () => {
  const left = { run: 'run-1', episode: 'ep-0000001' }
  const right = { run: 'run-2', episode: 'ep-0000003' }
  for (const choice of [
    { left, right },
    { left, right: null },
    { left: null, right: null },
  ])
    expect(read(compareEpisodesAddress(choice))).toEqual(choice)
  expect(compareEpisodesAddress({ left, right })).toBe(
    '/compare/episodes?left=run-1/ep-0000001&right=run-2/ep-0000003',
  )
})

test('what names no episode of a run counts as not chosen', () => {
  expect(read('/compare/episodes?left=run-1&right=a/b/c')).toEqual({ left: null, right: null })
})
