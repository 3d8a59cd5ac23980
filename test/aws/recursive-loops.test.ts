import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Episode } from '../../shared/core/contracts/episode.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { Run, RunRequestInput } from '../../shared/core/contracts/run.ts'
import { noFaults } from './emulators/fault-proxy.ts'
import { asTenant } from './lambda/as-tenant.ts'
import { continueLineage, readLineage, writeLineage } from './lambda/lineage.ts'
import { invocationsOfLoop } from './lambda/loop-detection.ts'
import { openStage, type Stage } from './lambda/open-stage.ts'
import { isAccount } from './not-shown.ts'

const links = 31

/** One episode after the other: each invocation sends the message of the next. */
const request: RunRequestInput = {
  environment: 'textcraft',
  tasks: { split: 'test', limit: links },
  method: { id: 'react', max_steps: 1 },
  model: { endpoint: 'simulated', id: 'simulated' },
  max_parallel: 1,
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

test('an invocation goes on with the longest chain of each function that its messages come from', () => {
  const chains = ['Lineage=player:3|burier:1', 'Root=1-0-0;Sampled=1;Lineage=player:2|burier:4', undefined]
  const lineage = continueLineage(chains.map(readLineage), 'player')
  expect(Object.fromEntries(lineage)).toEqual({ player: 4, burier: 4 })
  expect(readLineage(writeLineage(lineage))).toEqual(lineage)
  expect(() => readLineage('Lineage=player:often')).toThrow('"player:often" is no part of a lineage')
})

describe.runIf(!isAccount)("a stage under Lambda's detection of recursive loops", () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage({
      endpoints: { endpoints: { simulated: { kind: 'simulated', skill: 0.5, latency: 0 } } },
      faults: { rates: noFaults, seed: 0 },
      isTwice: () => false,
      milliseconds: 900_000,
      // A sweeper that fills a place begins another chain.
      sweeps: false,
      // An invocation has not quite ended when the next begins.
      most: 2,
    })
  })
  afterAll(() => stage.close())

  test('plays a run whose chain of invocations is longer than that of a loop, as the template allows it', async () => {
    const { get, post } = await asTenant(stage, 'acme')
    const { id } = await post<Run>('/v1/runs', request)
    let run = await get<Run>(`/v1/runs/${id}`)
    for (; run.ended_at === null; run = await get<Run>(`/v1/runs/${id}`)) await pause(200)
    expect(run).toMatchObject({ status: 'succeeded', episodes: { total: links, errored: 0 } })
    expect(stage.loops.longest('advance-episodes')).toBeGreaterThan(invocationsOfLoop)
    expect(stage.loops.dropped('advance-episodes')).toBe(0)
  }, 300_000)

  test('is stopped after sixteen invocations where its functions are not allowed to', async () => {
    stage.loops.allowed = new Set()
    stage.loops.forget()
    const { get, post } = await asTenant(stage, 'other')
    const { id } = await post<Run>('/v1/runs', request)
    while (stage.loops.dropped('advance-episodes') === 0) await pause(100)
    expect(stage.loops.longest('advance-episodes')).toBe(invocationsOfLoop)
    const { data } = await get<List<Episode>>(`/v1/runs/${id}/episodes?limit=1000`)
    const ended = data.filter(({ result }) => result !== null)
    // What counts the ends may still be the invocation before, whose message then goes on with its chain.
    expect(ended.length).toBeGreaterThanOrEqual(invocationsOfLoop)
    expect((await get<Run>(`/v1/runs/${id}`)).ended_at).toBeNull()
  }, 300_000)
})
