import { expect, test } from 'vitest'
import { hitsExample } from '../../../../functions/api/openapi/transcript-examples.ts'
import { hitsByEpisode } from '../../../../web/pages/search/hit-card.tsx'

test('hits of one episode stand together, in the order of their first', () => {
  const [example] = hitsExample.data
  if (example === undefined) throw new Error('The example has a hit.')
  const places = [
    ['run-1', 'ep-0000001'],
    ['run-1', 'ep-0000002'],
    ['run-2', 'ep-0000001'],
    ['run-1', 'ep-0000001'],
  ]
  const hits = places.map(([run = '', episode = ''], at) => ({ ...example, id: String(at), run, episode }))
  expect(hitsByEpisode(hits).map((group) => group.map(({ id }) => id))).toEqual([['0', '3'], ['1'], ['2']])
  expect(hitsByEpisode([])).toEqual([])
})
