import { expect, test } from 'vitest'
import { guideNeighbours } from '../../../../web/pages/guide/guide-neighbours.ts'
import type { GuidePassage } from '../../../../web/pages/guide/guide-types.ts'
import { searchGuide } from '../../../../web/pages/guide/search-guide.ts'
import { guidePassages } from '../../../../web/plugins/guide/guide-plugin.ts'
import { readGuidePage } from '../../../../web/plugins/guide/read-guide-page.ts'

const passages: GuidePassage[] = [
  { page: 'a', title: 'Methods', heading: null, text: 'A tree is searched.' },
  { page: 'a', title: 'Methods', heading: { id: 'mcts', text: 'Rollouts: mcts' }, text: 'Leaves back up.' },
  {
    page: 'b',
    title: 'Cost',
    heading: { id: 'x', text: 'What changes it' },
    text: `${'x '.repeat(90)}mcts is paid by waves.`,
  },
]
const found = (query: string) =>
  searchGuide(passages, query).map(({ passage }) => passage.heading?.id ?? passage.page)

test('every word has to stand in a passage; one with it in its heading comes first', () => {
  expect(found('mcts')).toEqual(['mcts', 'x'])
  expect(found('MCTS waves')).toEqual(['x'])
  expect(found('mcts nothing')).toEqual([])
  expect(found('  ')).toEqual([])
})

test('the words are shown with what stands around them', () => {
  const [, second] = searchGuide(passages, 'mcts')
  expect(second?.excerpt.before.startsWith('…')).toBe(true)
  expect(second?.excerpt).toMatchObject({ found: 'mcts', after: ' is paid by waves.' })
})

test('where they stand in the heading alone, the passage begins', () => {
  expect(searchGuide(passages, 'rollouts')[0]?.excerpt).toEqual({
    before: 'Leaves back up.',
    found: '',
    after: '',
  })
})

test('a page is divided at its headings, tables and code included', () => {
  const page = readGuidePage(
    'a',
    '# A\n\nFirst.\n\n## Two\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n```sh\nrun it\n```\n',
  )
  expect(guidePassages(page).map(({ heading, text }) => [heading?.id ?? null, text])).toEqual([
    [null, 'First.'],
    ['two', 'x y 1 2 run it'],
  ])
})

test('the pages before and after a page are those of the whole guide', () => {
  const sections = [
    { title: 'One', pages: [{ name: 'a', title: 'A' }] },
    { title: 'Two', pages: [{ name: 'b', title: 'B' }] },
  ]
  expect(guideNeighbours(sections, 'a')).toEqual({ previous: null, next: { name: 'b', title: 'B' } })
  expect(guideNeighbours(sections, 'b').previous?.name).toBe('a')
  expect(guideNeighbours(sections, 'c')).toEqual({ previous: null, next: null })
})
