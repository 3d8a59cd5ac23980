import { describe, expect, test } from 'vitest'
import type { RunRequestInput } from '../../../shared/core/contracts/run.ts'
import { runOfLearned, runOfMemory } from '../../../shared/core/engine/memories/learned-id.ts'
import { openMemories } from '../../../shared/core/engine/memories/open-memories.ts'
import type { RunPlan } from '../../../shared/core/engine/runs/run-planner.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { openLearningEngine } from '../../support/open-learning-engine.ts'
import { toRequest, untilStatus } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const teaches: Partial<RunPlan> = {
  learning: [{ group: 'boil', tasks: ['x'] }],
  writes: ['memory', 'library'],
}

/** Plays a run of a tenant to its end. */
async function play(
  world: World,
  { sharing = teaches, tenant = 'default' }: { sharing?: Partial<RunPlan>; tenant?: string } = {},
) {
  const engine = openLearningEngine({ world, sharing })
  await engine.worker.start()
  const runs = engine.tenants.of(tenant)
  const { id } = await runs.create(toRequest())
  await untilStatus({ runs }, id, 'succeeded')
  await engine.stop()
  return { run: id, memory: id.replace('run-', 'mem-'), library: id.replace('run-', 'lib-') }
}

/** Asks for a run that reads what is named. */
function reading(world: World, reads: RunPlan['reads'] = [], request: Partial<RunRequestInput> = {}) {
  const { runs } = openLearningEngine({ world, sharing: { reads } })
  return runs.create(toRequest(request))
}

const memoryRead = (id: string) => [{ kind: 'memory' as const, param: 'method.memory_from', id }]
const libraryRead = (id: string) => [{ kind: 'library' as const, param: 'method.library', id }]

describe('a run that names a memory or library', () => {
  test('is made when they are complete and of its environment', async () => {
    const world = await openTestWorld()
    const { library, memory } = await play(world)
    const reads = [...memoryRead(memory), ...libraryRead(library)]
    expect(await reading(world, reads)).toMatchObject({ object: 'run' })
  })

  test('is refused one of another tenant in the words for one that there is not', async () => {
    const world = await openTestWorld()
    const { library, memory } = await play(world, { tenant: 'rival' })
    for (const id of [memory, 'mem-0000000000-00000000', library, 'no id at all']) {
      await expect(reading(world, memoryRead(id))).rejects.toMatchObject({
        code: 'not_found',
        param: 'method.memory_from',
        message: `There is no memory "${id}". List the memories to find its id.`,
      })
    }
    await expect(reading(world, libraryRead(library))).rejects.toMatchObject({
      code: 'not_found',
      param: 'method.library',
      message: `There is no library "${library}". List the libraries to find its id.`,
    })
    expect((await openLearningEngine({ world, sharing: {} }).runs.list({ limit: 10 })).data).toEqual([])
  })

  test('is refused one of another environment, and the error names both', async () => {
    const world = await openTestWorld()
    const { memory } = await play(world)
    await expect(reading(world, memoryRead(memory), { environment: 'pddl' })).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'method.memory_from',
      message: expect.stringMatching(/learned in textcraft, and this run plays pddl/),
    })
  })

  test('is refused a memory of another method, whose notes it would not show', async () => {
    const world = await openTestWorld()
    const { library, memory } = await play(world)
    const method = { id: 'act' }
    await expect(reading(world, memoryRead(memory), { method })).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'method.memory_from',
      message: expect.stringMatching(/learned by react, and this run plays act/),
    })
    expect(await reading(world, libraryRead(library), { method })).toMatchObject({ object: 'run' })
  })

  test('is refused one whose run goes on, until it has ended', async () => {
    const world = await openTestWorld()
    const { runs } = openLearningEngine({ world, sharing: teaches })
    const { id, memory } = await runs.create(toRequest())
    const reads = memoryRead(memory ?? '')
    await expect(reading(world, reads)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(`espalier watch ${id}`),
    })
    await runs.cancel(id)
    expect(await reading(world, reads)).toMatchObject({ object: 'run' })
  })

  test('is refused a library in which nothing was learned', async () => {
    const world = await openTestWorld()
    const { library } = await play(world, { sharing: { writes: ['library'] } })
    await expect(reading(world, libraryRead(library))).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'method.library',
      message: expect.stringContaining('has no actions'),
    })
  })
})

describe('the memories and libraries of a tenant', () => {
  test('are listed newest first, a page at a time, and no tenant sees those of others', async () => {
    const world = await openTestWorld()
    const first = await play(world)
    const second = await play(world)
    await play(world, { sharing: {} })
    const own = openMemories(world).of('default')
    const page = await own.memories({ limit: 1 })
    expect(page).toMatchObject({ has_more: true, data: [{ id: second.memory, complete: true }] })
    expect(await own.memories({ limit: 1, after: second.memory })).toMatchObject({
      has_more: false,
      data: [
        { id: first.memory, object: 'memory', run: first.run, environment: 'textcraft', method: 'react' },
      ],
    })
    expect((await own.libraries({ limit: 9 })).data.map(({ id }) => id)).toEqual([
      second.library,
      first.library,
    ])

    const rival = openMemories(world).of('rival')
    expect((await rival.memories({ limit: 9 })).data).toEqual([])
    const message = `There is no library "${first.library}". List the libraries to find its id.`
    for (const asked of [rival.library(first.library), rival.actions(first.library, { limit: 9 })]) {
      await expect(asked).rejects.toMatchObject({ code: 'not_found', param: 'library', message })
    }
    for (const asked of [rival.memory(first.memory), rival.notes(first.memory, { limit: 9 })]) {
      await expect(asked).rejects.toMatchObject({ code: 'not_found', param: 'memory' })
    }
  })

  test('give their notes and actions page by page, without a gap', async () => {
    const world = await openTestWorld()
    const { memory, library } = await play(world)
    const own = openMemories(world).of('default')
    const whole = (await own.notes(memory, { limit: 100 })).data
    expect(whole).toHaveLength(4)
    const paged: unknown[] = []
    for (let after: string | undefined, more = true; more; ) {
      const page = await own.notes(memory, { limit: 3, ...(after !== undefined && { after }) })
      paged.push(...page.data)
      more = page.has_more
      after = page.last_id ?? undefined
    }
    expect(paged).toEqual(whole)
    expect(await own.actions(library, { limit: 5 })).toMatchObject({
      data: [{ id: 'boil/carry', name: 'carry', group: 'boil' }],
      last_id: 'boil/carry',
    })
    await expect(own.notes(memory, { limit: 3, after: 'none' })).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'after',
    })
  })

  test('end like the runs that wrote them', async () => {
    expect(runOfMemory('mem-06c5-xyz')).toBe('run-06c5-xyz')
    expect(runOfLearned('library', 'lib-06c5-xyz')).toBe('run-06c5-xyz')
    expect(() => runOfMemory('lib-06c5-xyz')).toThrow('There is no memory "lib-06c5-xyz"')
  })
})
