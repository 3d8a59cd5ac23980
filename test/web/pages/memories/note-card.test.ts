import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { noteExample } from '../../../../functions/api/openapi/learned-examples.ts'
import type { MemoryNote } from '../../../../shared/core/contracts/memory.ts'
import { NoteCard, NotePlaces } from '../../../../web/pages/memories/note-card.tsx'
import type { NoteUse } from '../../../../web/pages/memories/rank-by-use.ts'

const card = (more: Partial<MemoryNote>) =>
  renderToStaticMarkup(
    createElement(
      MemoryRouter,
      null,
      createElement(NoteCard, { note: { ...noteExample, ...more }, run: 'run-1' }, 'places'),
    ),
  )
const places = (use: NoteUse | null) =>
  renderToStaticMarkup(createElement(MemoryRouter, null, createElement(NotePlaces, { use, run: 'run-2' })))

test('a note leads to the node that it was learned at', () => {
  const html = card({ id: 'ep-0000003/reflect/policy/4', side: 'policy', surprise: 0.5 })
  expect(html).toContain('href="/runs/run-1/episodes/ep-0000003?node=4"')
  expect(html).toContain('surprise 0.50')
  expect(card({ surprise: null })).not.toContain('surprise')
})

test('nothing that was noted is markup, and what steers a reader is shown', () => {
  const hostile = '<img src=x onerror=alert(1)>\u202e\u0007'
  const html = card({
    note: hostile,
    task: hostile,
    objective: hostile,
    action: hostile,
    observation: hostile,
  })
  expect(html).not.toContain('<img')
  expect(html).not.toContain('\u202e')
  expect(html).not.toContain('\u0007')
  expect(html.split('&lt;img src=x onerror=alert(1)&gt;⟨U+202E⟩␇')).toHaveLength(6)
})

test('places name their episode once, and how many are left out', () => {
  const at = (episode: string, node: number | null) => ({ episode, task: 't', node })
  const html = places({ note: 'n', count: 9, places: [at('ep-1', 0), at('ep-1', 2), at('ep-2', null)] })
  expect(html.replaceAll(/<[^>]+>/g, '')).toBe('Shown 9 times: ep-1 node 0 · node 2 · ep-2 and 6 more')
  expect(html).toContain('href="/runs/run-2/episodes/ep-1?node=2"')
  expect(html).toContain('href="/runs/run-2/episodes/ep-2"')
  expect(places(null)).toContain('Not shown.')
})
