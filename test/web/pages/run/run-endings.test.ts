import { type ComponentProps, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { RunEndings } from '../../../../web/pages/run/run-endings.tsx'
import { StatusBar } from '../../../../web/pages/run/run-progress.tsx'
import { annotationRun, makeRun } from '../../../builders/runs.ts'

const run = makeRun({ status: 'succeeded', episodes: { succeeded: 3, limited: 2, errored: 1200 } })

function show(given: Partial<ComponentProps<typeof RunEndings>> = {}): string {
  const endings = createElement(RunEndings, { run, report: undefined, ...given })
  return renderToStaticMarkup(createElement(MemoryRouter, null, endings))
}

test('each way to end is a link to its episodes, and ways that none ended are left out', () => {
  const markup = show()
  for (const status of ['succeeded', 'limited', 'errored']) {
    expect(markup).toContain(`href="/?status=${status}#episodes"`)
  }
  expect(markup).not.toContain('status=cancelled')
})

test('limits and errors say how many episodes they ended, and what the errors said is text', () => {
  const message = '<script>alert(1)</script> \u202e\u001b[31mlost'
  const errors = [{ episode: 'ep-0000007', task: 'any', name: 'ModelError', message }]
  const markup = show({ report: { errors, limits: { tokens: 2 } } })
  expect(markup).toContain('<b>2</b> by <code>episode_limits.tokens</code>')
  expect(markup).toContain('ModelError: &lt;script&gt;alert(1)&lt;/script&gt; ⟨U+202E⟩␛[31mlost')
  expect(markup).toContain('href="/runs/run-1/episodes/ep-0000007"')
  expect(markup).toContain('Of the 1 that the report lists')
})

test('reasons are bars that lead to their episodes, the most common first, and errors stay listed', () => {
  const errors = [{ episode: 'ep-0000007', task: 'any', name: 'ModelError', message: 'lost' }]
  const ends = [
    { reason: 'solved' as const, episodes: 3 },
    { reason: 'steps' as const, episodes: 2 },
    { reason: 'error' as const, episodes: 1200 },
  ]
  const grid = { epochs: 0, all: 0, tasks: [] }
  const markup = show({ report: { errors, limits: {}, shape: { rewards: [], steps: [], ends, grid } } })
  expect([...markup.matchAll(/\?reason=(\w+)#episodes/g)].map(([, reason]) => reason)).toEqual([
    'error',
    'solved',
    'steps',
  ])
  expect(markup).toContain('step limit')
  expect(markup).toContain('ModelError: lost')
})

test('it is said where none has ended yet, and that nothing is solved where nothing is played', () => {
  expect(show({ run: makeRun({ episodes: { waiting: 3 } }) })).toContain('None has ended yet.')
  const asked = { ...annotationRun, episodes: { ...annotationRun.episodes, succeeded: 2 } }
  expect(show({ run: asked })).toContain('the model answered all that it was asked')
})

test('the bar of statuses is given in words and numbers too, and no share is rounded to all or nothing', () => {
  const { episodes } = makeRun({ episodes: { succeeded: 999, errored: 1 } })
  const text = renderToStaticMarkup(createElement(StatusBar, { isPaused: false, episodes })).replaceAll(
    /<[^>]*>/g,
    '',
  )
  expect(text).toBe('solved 999 &gt;99 %ended with an error 1 &lt;1 %')
})

test('while a run is paused its episodes are not played: they are held', () => {
  const { episodes } = makeRun({ episodes: { active: 3, succeeded: 1 } })
  const words = (isPaused: boolean) =>
    renderToStaticMarkup(createElement(StatusBar, { isPaused, episodes })).replaceAll(/<[^>]*>/g, '')
  expect(words(false)).toBe('solved 1 25 %queued/running 3 75 %')
  expect(words(true)).toBe('solved 1 25 %held 3 75 %')
})
