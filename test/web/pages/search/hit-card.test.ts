import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { hitsExample } from '../../../../functions/api/openapi/transcript-examples.ts'
import type { TranscriptHit } from '../../../../shared/core/contracts/transcript-search.ts'
import { HitCard } from '../../../../web/pages/search/hit-card.tsx'

function card(more: Partial<TranscriptHit>): string {
  const [hit] = hitsExample.data
  if (hit === undefined) throw new Error('The example has a hit.')
  return renderToStaticMarkup(
    createElement(MemoryRouter, null, createElement(HitCard, { hit: { ...hit, ...more } })),
  )
}

test('a hit leads to its node, marks what was found, and names its run', () => {
  const html = card({ run: 'run-1', run_name: 'a first' })
  expect(html).toContain('href="/runs/run-1/episodes/ep-0000007?node=4"')
  expect(html).toContain('Got 3 <mark>white wool</mark>')
  expect(html).toContain('<bdi>a first</bdi>')
  expect(card({ run: 'run-1', run_name: null })).toContain('<bdi>run-1</bdi>')
  expect(card({ run: 'run-1', node: null })).toContain('href="/runs/run-1/episodes/ep-0000007"')
})

test('it says who wrote a note, and how an answer ended where it did not just stop', () => {
  const html = card({ kind: 'note', role: 'value', finish_reason: 'length' })
  expect(html).toContain('note of value')
  expect(html).toContain('ended by <bdi>length</bdi>')
  expect(card({ kind: 'answer', role: 'policy', finish_reason: 'stop' })).not.toContain('ended by')
})

test('nothing in it is markup, and what steers a reader is shown', () => {
  const hostile = '<img src=x onerror=alert(1)>\u202e\u0007'
  const snippet = [true, false].map((match) => ({ text: hostile, match }))
  const html = card({
    snippet,
    task: hostile,
    run_name: hostile,
    environment: hostile,
    finish_reason: hostile,
  })
  for (const bad of ['<img', '\u202e', '\u0007']) expect(html).not.toContain(bad)
})
