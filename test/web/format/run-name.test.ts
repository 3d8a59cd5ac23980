import { expect, test } from 'vitest'
import type { EndpointInfo } from '../../../shared/core/contracts/catalogue.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { asksSimulated } from '../../../web/format/asks-simulated.ts'
import { countOf } from '../../../web/format/count-of.ts'
import { runName } from '../../../web/format/run-name.ts'
import { makeRun } from '../../builders/runs.ts'

test('a run without a name that can be seen is called by its id', () => {
  const named = (name: string) => makeRun({ request: { name } })
  expect(runName(named('first try'))).toBe('first try')
  expect(runName(named('  '))).toBe(makeRun().id)
  expect(runName(makeRun({ request: {} }))).toBe(makeRun().id)
  expect(runName(named('a\u202eb'))).toBe('a⟨U+202E⟩b')
})

test('one is one, and a count stays with its noun', () => {
  expect([0, 1, 2500].map((count) => countOf(count, 'task'))).toEqual([
    '0\u00a0tasks',
    '1\u00a0task',
    '2,500\u00a0tasks',
  ])
  expect(countOf(2, 'trajectory', 'trajectories')).toBe('2\u00a0trajectories')
})

test('a run is of the simulated model where any role asks an endpoint of that kind, whatever it is called', () => {
  const endpoint = (id: string, kind: EndpointInfo['kind']): EndpointInfo => ({
    id,
    kind,
    object: 'endpoint',
    models: [],
    priced: true,
    ready: true,
    note: null,
  })
  const endpoints = [endpoint('try-out', 'simulated'), endpoint('simulated', 'openai')]
  const asking = (model: string, roles: Run['request']['roles'] = {}) =>
    asksSimulated(
      makeRun({ request: { model: { ...makeRun().request.model, endpoint: model }, roles } }),
      endpoints,
    )
  expect(asking('try-out')).toBe(true)
  expect(asking('simulated')).toBe(false)
  expect(asking('simulated', { value: { endpoint: 'try-out', id: 'judge' } })).toBe(true)
})
