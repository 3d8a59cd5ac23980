import { expect, test } from 'vitest'
import type { EnvironmentInfo } from '../../../../shared/core/contracts/catalogue.ts'
import { needsOf, passes } from '../../../../web/pages/environments/facets.ts'

const environment = (more: Partial<EnvironmentInfo>): EnvironmentInfo => ({
  id: 'textcraft',
  object: 'environment',
  description: 'Craft items from recipes.',
  snapshot: 'native',
  deterministic: true,
  success_threshold: 1,
  default_max_steps: 20,
  splits: { test: 100 },
  types: ['depth-2'],
  kind: 'text',
  tools: [],
  hosting: 'worker',
  data: null,
  options: null,
  ...more,
})
const all = { text: '', kind: '', tool: '', states: '', need: '' }

test.each([
  [{}, ['nothing']],
  [{ hosting: 'host' }, ['host']],
  [{ splits: {} }, ['data']],
  [{ hosting: 'host', splits: {}, roles: ['user'] }, ['host', 'data', 'model']],
] as [Partial<EnvironmentInfo>, string[]][])('%j needs %j', (more, needs) => {
  expect(needsOf(environment(more))).toEqual(needs)
})

test.each([
  [all, true],
  [{ ...all, text: 'RECIPES text' }, true],
  [{ ...all, text: 'depth-2' }, true],
  [{ ...all, text: 'recipes shop' }, false],
  [{ ...all, states: 'native', need: 'nothing' }, true],
  [{ ...all, states: 'replay' }, false],
  [{ ...all, need: 'host' }, false],
  [{ ...all, need: 'unknown' }, false],
  [{ ...all, kind: 'text' }, true],
  [{ ...all, kind: 'pages' }, false],
  [{ ...all, tool: 'get' }, true],
  [{ ...all, tool: 'ge' }, false],
])('%j passes an environment without needs: %s', (facets, expected) => {
  expect(passes(environment({ tools: ['get', 'craft'] }), facets)).toBe(expected)
})
