import { expect, test } from 'vitest'
import { annotatedDataset } from '../../../../shared/core/contracts/annotated-dataset.ts'
import { requestFacts } from '../../../../web/pages/run/request-facts.ts'
import { annotationRun, makeRun } from '../../../builders/runs.ts'

const factsOf = (title: string, run: Parameters<typeof requestFacts>[0]) =>
  requestFacts(run).find((group) => group.title === title)?.facts

test('everything that was asked for is shown, and nothing that was not', () => {
  const run = makeRun({
    request: {
      tasks: { ids: Array.from({ length: 25 }, (_, index) => `t${index}`) },
      roles: { value: { id: 'judge', temperature: 0 } },
      limits: { cost: 5 },
      episode_limits: { steps: 40 },
      metadata: { team: 'a' },
    },
  })
  expect(requestFacts(run).map(({ title }) => title)).toEqual([
    'Tasks',
    'Method',
    'Model',
    'Playing',
    'Limits',
    'Labels',
  ])
  expect(factsOf('Tasks', run)).toContainEqual({
    name: 'ids',
    value: `${Array.from({ length: 20 }, (_, index) => `t${index}`).join(', ')} and 5 more`,
  })
  expect(factsOf('Model', run)).toContainEqual({ name: 'value', value: 'id judge, temperature 0' })
  expect(factsOf('Limits', run)).toEqual([
    { name: 'run cost', value: '5' },
    { name: 'episode steps', value: '40' },
  ])
})

test('a run that asks a model for a dataset names it, and one that plays names none', () => {
  expect(annotatedDataset(annotationRun)).toBe('dataset-1')
  expect(annotatedDataset(makeRun())).toBeNull()
})

test('what the run settled by default stands beside what was asked for; a run of old says nothing of it', () => {
  const horizon = { parameter: 'max_depth', least: 10, most: 120, from: 'task' } as const
  const run = { ...makeRun(), resolved: { horizon, parameters: { proposals: 20 } } }
  expect(factsOf('Settled by default', run)).toEqual([
    { name: 'horizon', value: '10-120 actions (max_depth), by task' },
    { name: 'proposals', value: '20' },
  ])
  expect(factsOf('Settled by default', makeRun())).toBeUndefined()
})

test('the passport stands with its tasks and its scorer, if the run has one', () => {
  const passport = { digest: 'abc', terms: { tasks: '2 tasks', scorer: '1', data: 'builtin' } }
  expect(factsOf('Passport', makeRun({ passport }))).toEqual([
    { name: 'digest', value: 'abc' },
    { name: 'tasks', value: '2 tasks' },
    { name: 'scorer', value: '1' },
  ])
})
