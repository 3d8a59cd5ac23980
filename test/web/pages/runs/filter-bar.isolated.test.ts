import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { FilterBar } from '../../../../web/pages/runs/filter-bar.tsx'

// Modules that ask the service read the tab's key as they are loaded.
vi.hoisted(() => {
  vi.stubGlobal('sessionStorage', { getItem: () => null })
  vi.stubGlobal('location', { origin: 'http://espalier.test' })
  vi.stubGlobal('document', { visibilityState: 'visible', addEventListener: () => undefined })
})

function render(query: string): string {
  const bar = createElement(FilterBar, { runs: [] })
  const routed = createElement(MemoryRouter, { initialEntries: [`/runs?${query}`] }, bar)
  const client = new QueryClient()
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, routed))
}

test('metadata without a value has an error at its field, and is no active filter', () => {
  const fault = 'Write a name and a value'
  expect(render('metadata=sweep')).toContain(fault)
  for (const query of ['', 'metadata=sweep%3D1']) expect(render(query)).not.toContain(fault)
  expect(render('metadata=sweep%3D1')).toContain('Active filters')
  for (const query of ['metadata=sweep', 'status=done', 'archived=yes'])
    expect(render(query)).not.toContain('Active filters')
})

test('a status that filters nothing is not chosen', () => {
  expect(render('status=done')).not.toContain('done')
  expect(render('status=failed')).toMatch(/<option value="failed" selected="">/)
})
