import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { usesOfModel } from '../../../functions/wiring/uses-of-model.ts'
import { type ListQuery, toList } from '../../../shared/core/contracts/list.ts'
import type { Loop } from '../../../shared/core/contracts/loop.ts'
import type { Training } from '../../../shared/core/contracts/training.ts'
import { driveLoops, loopRequest, openDrivenLoops } from '../../learn/loops/drive-loop.ts'
import { FakeService } from '../../learn/loops/fake-service.ts'
import { openTestTrainings } from '../../learn/trainings/open-test-trainings.ts'
import { shareWorld } from '../../support/open-test-world.ts'

const shared = shareWorld()
const noTrainings = { of: () => ({ list: async () => toList<Training>([], false) }) }
const noLoops = { of: () => ({ list: async () => toList<Loop>([], false) }) }

test('a model is used by trainings that start from it until they end, paused ones too', async () => {
  const opened = await openTestTrainings()
  await opened.addDataset('dataset-1')
  await writeFile(join(opened.base, 'model.safetensors'), 'weights')
  const names = ['config.json', 'tokenizer_config.json', 'model.safetensors']
  const files = names.map((name) => ({ name, path: join(opened.base, name) }))
  const { id: model } = await opened.models().register({ files })
  const trainings = opened.trainings()
  const parts = { trainings: opened.tenants(), loops: noLoops }
  const uses = () => usesOfModel(parts, 'default', model)

  await trainings.create(opened.request())
  expect(await uses()).toEqual([])
  const { id } = await trainings.create(opened.request({ base: { registered: model }, seed: 13 }))
  await opened.until(id, ({ progress }) => progress.step >= 5)
  expect(await uses()).toEqual([`the training ${id}, which is running, starts from it`])
  expect(await usesOfModel(parts, 'other', model)).toEqual([])
  await trainings.pause(id)
  await opened.until(id, ({ status }) => status === 'paused')
  expect(await uses()).toEqual([`the training ${id}, which is paused, starts from it`])
  await trainings.cancel(id)
  expect(await uses()).toEqual([])
})

test('a model is used by loops that begin with it or made it, until they end', async () => {
  const service = new FakeService()
  const driven = openDrivenLoops(shared.world, service.parts())
  const own = driven.loops.of('default')
  const uses = (model: string) =>
    usesOfModel({ trainings: noTrainings, loops: driven.loops }, 'default', model)

  const { id } = await own.create(loopRequest())
  expect(await uses('model-base')).toEqual([
    `the loop ${id}, which is queued, goes on from it or compares it`,
  ])
  service.trainingFault = { status: 'failed', error: 'It failed.' }
  await driveLoops(driven)
  service.trainingFault = null
  await own.resume(id)
  for (let looks = 0; service.trainings.size < 2 && looks < 100; looks += 1) {
    await driveLoops(driven, { most: 1 }).catch(() => undefined)
  }
  const made = (await own.get(id)).rounds.flatMap(({ model }) => model ?? [])
  expect(made.length).toBeGreaterThan(0)
  for (const model of made) expect(await uses(model)).toHaveLength(1)
  await driveLoops(driven)
  expect((await own.get(id)).status).toBe('succeeded')
  for (const model of ['model-base', ...made]) expect(await uses(model)).toEqual([])
})

test('uses are found in lists of any length', async () => {
  const driven = openDrivenLoops(shared.world, new FakeService().parts())
  const loop = await driven.loops.of('default').create(loopRequest())
  const many = Array.from({ length: 450 }, (_, index) => ({ ...loop, id: `loop-${index}` }))
  const list = async ({ limit, after }: ListQuery) => {
    const first = after === undefined ? 0 : many.findIndex(({ id }) => id === after) + 1
    return toList(many.slice(first, first + limit), first + limit < many.length)
  }
  const loops = { of: () => ({ list }) }
  const uses = await usesOfModel({ trainings: noTrainings, loops }, 'default', 'model-base')
  expect(new Set(uses).size).toBe(450)
})
