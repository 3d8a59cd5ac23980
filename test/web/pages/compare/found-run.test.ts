import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { FoundRun } from '../../../../web/pages/compare/found-run.tsx'
import { endedRun } from '../../../builders/runs.ts'

function markupOf(id: string, name: string | undefined): string {
  const { request, ...run } = endedRun(id)
  const found = { ...run, created_at: '2026-01-02T03:04:05.000Z', request: { ...request, name } }
  return renderToStaticMarkup(createElement(FoundRun, { run: found, chosen: [], onAdd: () => undefined }))
}

test('runs of the same name are distinguished by their ids and when they were created', () => {
  const markup = markupOf('run-01-aaaa', 'night')
  expect(markup).toContain('<span class="identifier">run-01-aaaa</span>')
  expect(markup).toContain('dateTime="2026-01-02T03:04:05.000Z"')
  expect(markup).toContain('aria-label="Add: night, run-01-aaaa"')
})

test('a run without a name is called by its id once', () => {
  const markup = markupOf('run-01-aaaa', undefined)
  expect(markup).not.toContain('class="identifier"')
  expect(markup).toContain('aria-label="Add: run-01-aaaa"')
})
