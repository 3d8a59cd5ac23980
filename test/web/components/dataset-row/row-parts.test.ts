import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { LineageRow } from '../../../../shared/core/contracts/dataset.ts'
import type { ShownPart } from '../../../../shared/core/contracts/shown-row.ts'
import { RowOrigin } from '../../../../web/components/dataset-row/row-origin.tsx'
import { RowParts } from '../../../../web/components/dataset-row/row-parts.tsx'

const side = (source: string, node_ids: number[], reward: number) => ({
  source,
  episode: 'ep-0000001',
  attempt: 1,
  method: 'mcts',
  model: 'simulated/simulated',
  reward,
  node_ids,
})

const lineage = (source: string): LineageRow => ({
  row: 0,
  kind: 'step-preference',
  environment: 'webshop',
  data: null,
  task: '<b>task</b>\u202e',
  task_split: null,
  tokens: 1234,
  sha256: 'abcdef0123456789',
  origin: side(source, [0, 3], 1),
  other: side(source, [0, 4], 0.25),
  schema_version: 'espalier-lineage-v2',
})

const parts: ShownPart[] = [
  { name: 'prompt', turns: [{ role: 'user', content: '<script>alert(1)</script>', learned: false }] },
  { name: 'chosen', turns: [{ role: 'assistant', content: 'Action: buy', learned: true }] },
  { name: 'rejected', turns: [{ role: 'assistant', content: 'Action: leave', learned: true }] },
]

const render = (element: React.ReactElement) =>
  renderToStaticMarkup(createElement(MemoryRouter, null, element))

test('what is learned is said in words, sides have their rewards, and answers lead to their nodes', () => {
  const html = render(createElement(RowParts, { parts, lineage: lineage('run-1') }))
  expect(html.match(/learned</g)).toHaveLength(2)
  expect(html).toContain('reward 1.00')
  expect(html).toContain('reward 0.25')
  expect(html).toContain('href="/runs/run-1/episodes/ep-0000001?node=3"')
  expect(html).toContain('href="/runs/run-1/episodes/ep-0000001?node=4"')
})

test('what somebody wrote is text', () => {
  const html = render(createElement(RowParts, { parts, lineage: lineage('run-1') }))
  expect(html).toContain('&lt;script&gt;')
  expect(html).not.toContain('<script')
  const origin = render(createElement(RowOrigin, { lineage: lineage('run-1') }))
  expect(origin).toContain('&lt;b&gt;task&lt;/b&gt;⟨U+202E⟩')
})

test('an import has no page, and nothing leads to one', () => {
  const both = [RowParts, RowOrigin].map((component) =>
    render(createElement(component, { parts, lineage: lineage('import-1') })),
  )
  for (const html of both) expect(html).not.toContain('href')
  expect(both[1]).toContain('which has no page')
})
