import { expect, test } from 'vitest'
import type { WorkerChoice } from '../../../../shared/core/contracts/workers.ts'
import { AnswerTimes } from '../../../../shared/core/engine/routing/answer-times.ts'
import { RunRoutes, slowAnswer } from '../../../../shared/core/engine/routing/run-routes.ts'
import { RunDefinitions } from '../../../../shared/core/engine/runs/run-definition.ts'
import { RunStore } from '../../../../shared/core/engine/runs/run-store.ts'
import { openTestEngine, toRequest } from '../../../support/open-test-engine.ts'
import { openTestWorld } from '../../../support/open-test-world.ts'

async function openRoutes() {
  const world = await openTestWorld()
  const engine = openTestEngine({ world })
  /** As each process of a stage opens them. */
  const open = () =>
    new RunRoutes({ world, store: new RunStore(world), definitions: new RunDefinitions(world.objects) })
  const create = async (workers?: WorkerChoice) =>
    (await engine.runs.create(toRequest({ ...(workers && { workers }) }))).id
  return { create, open }
}

test('a run goes where it asks to be played, whatever was measured', async () => {
  const { create, open } = await openRoutes()
  const [lambda, fargate] = [await create('lambda'), await create('fargate')]
  const routes = open()
  expect(await routes.measured(lambda, 60)).toBe('lambda')
  expect(await routes.measured(fargate, 1)).toBe('fargate')
  expect([await open().of(lambda), await open().of(fargate)]).toEqual(['lambda', 'fargate'])
})

test('a run of a version without the choice is played by Lambda', async () => {
  const { create, open } = await openRoutes()
  const run = await create()
  expect(await open().measured(run, 60)).toBe('lambda')
})

test('a run that leaves it open moves to workers when its answers turn out slow, and for every process', async () => {
  const { create, open } = await openRoutes()
  const run = await create('auto')
  const routes = open()
  expect(await routes.of(run)).toBe('lambda')
  expect(await routes.measured(run, slowAnswer - 0.1)).toBe('lambda')
  expect(await routes.measured(run, slowAnswer)).toBe('fargate')
  expect([await routes.of(run), await open().of(run)]).toEqual(['fargate', 'fargate'])
})

test('it stays there, and the next runs of its model begin where the last one was measured', async () => {
  const { create, open } = await openRoutes()
  const slow = await create('auto')
  const routes = open()
  await routes.measured(slow, 20)
  const next = await create('auto')
  expect(await routes.of(next)).toBe('fargate')
  expect(await routes.measured(next, 1)).toBe('fargate')
  expect(await routes.of(await create('auto'))).toBe('lambda')
})

test('processes that settle a run at the same moment agree', async () => {
  const { create, open } = await openRoutes()
  const run = await create('auto')
  const kinds = await Promise.all(Array.from({ length: 8 }, () => open().of(run)))
  expect(new Set(kinds)).toEqual(new Set(['lambda']))
})

test('the first answers of a run are judged together, and once', () => {
  const judged: [string, number][] = []
  const times = new AnswerTimes((run, seconds) => judged.push([run, seconds]))
  for (const milliseconds of [1000, 2000, 3000, 4000, 5000]) times.note('one', milliseconds)
  times.note('two', 9000)
  expect(judged).toEqual([])
  times.note('one', 9000)
  times.note('one', 60_000)
  expect(judged).toEqual([['one', 4]])
})
