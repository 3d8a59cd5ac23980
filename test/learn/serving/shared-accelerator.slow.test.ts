import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ServeRequest } from '../../../shared/core/contracts/model-server.ts'
import type { Training } from '../../../shared/core/contracts/training.ts'
import { openAccelerators } from '../../../shared/learn/registry/accelerators.ts'
import { openModelRegistry } from '../../../shared/learn/registry/open-models.ts'
import { openModelServers } from '../../../shared/learn/serving/open-model-servers.ts'
import { ServedCalls } from '../../../shared/learn/serving/served-calls.ts'
import { commandDriver, serverDrivers } from '../../../shared/learn/serving/server-driver.ts'
import { superviseServers } from '../../../shared/learn/serving/supervise-servers.ts'
import { openEndpointDirectory } from '../../../shared/play/models/endpoint-directory.ts'
import { openModels } from '../../../shared/play/models/model-pool.ts'
import { chatRequest } from '../../play/models/chat-request.ts'
import { recordingMeter } from '../../play/models/recording-meter.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { openTestTrainings } from '../trainings/open-test-trainings.ts'

const program = join(import.meta.dirname, 'scripted-model-server.ts')
const command = [process.execPath, program, '{port}', '{name}', '{folder}']
const endless = { seed: 13 }
const endlessAtFirst = { seed: 17 }
const hasEnded = ({ status }: Training) => status === 'succeeded'
const isAtStep = (wanted: number) => (training: Training) => training.progress.step >= wanted

/** Trainings and servers of models on one machine: stand-ins for their programs, all else real. */
async function openMachine({
  accelerator,
  givesWayAfter = 1500,
}: {
  accelerator?: string
  givesWayAfter?: number
}) {
  const opened = await openTestTrainings({ ...(accelerator !== undefined && { accelerator }) })
  await opened.addDataset('dataset-1')
  const world = opened.world()
  const errors: unknown[] = []
  const onError = (error: unknown) => void errors.push(error)
  const registry = openModelRegistry({ world })
  const directory = openEndpointDirectory(world)
  const drivers = serverDrivers([commandDriver])
  const servers = openModelServers({
    remoteEndpoint: () => null,
    world,
    registry,
    directory,
    isTaken: () => false,
    checkBase: () => undefined,
    drivers,
  }).of('default')
  const folder = await temporaryFolder()
  const supervisor = superviseServers({ world, registry, drivers, folder, givesWayAfter, onError })
  const models = openModels(new Map(), { directory, servers: new ServedCalls({ ...world, onError }) })
  onTestFinished(async () => {
    await supervisor.stop()
    await models.close()
  })
  return {
    opened,
    errors,
    servers,
    accelerators: openAccelerators(world),

    async serve(name: string, request: ServeRequest = {}): Promise<string> {
      const weights = join(await temporaryFolder(), name)
      await mkdir(weights)
      await writeFile(join(weights, 'model.safetensors'), randomBytes(100))
      const files = [{ name: 'model.safetensors', path: join(weights, 'model.safetensors') }]
      const { id } = await registry.of('default').register({ name, files })
      await servers.serve(id, { driver: 'command', command, ...request })
      return id
    },

    async ask(endpoint: string): Promise<string> {
      const request = chatRequest({ model: 'any', messages: [{ role: 'user', content: 'Say hello.' }] })
      const answer = await models.model(endpoint).complete(request, { meter: recordingMeter() })
      return answer.choices[0]?.content ?? ''
    },
  }
}

test('a training waits for a server that is used, which gives way once it is not; calls wait for the training', async () => {
  const { accelerators, ask, errors, opened, serve, servers } = await openMachine({
    accelerator: 'gpu-0',
    givesWayAfter: 5000,
  })
  const model = await serve('policy', { accelerator: 'gpu-0' })
  await ask('policy')
  const { id } = await opened.trainings().create(opened.request(endless))
  const waiting = await opened.until(id, ({ progress }) => progress.waiting_for !== null)
  expect(waiting.status).toBe('queued')
  expect(waiting.progress).toMatchObject({
    phase: 'waiting',
    waiting_for: `the accelerator gpu-0, which the server of ${model} has`,
  })
  expect((await servers.get(model)).state).toBe('running')
  const training = await opened.until(id, isAtStep(5))
  expect(training.progress.waiting_for).toBeNull()
  expect((await servers.get(model)).state).toBe('stopped')

  const answer = ask('policy')
  await expect
    .poll(async () => (await servers.get(model)).note)
    .toBe(`it waits for the accelerator gpu-0, which the training ${id} has`)
  expect((await opened.trainings().get(id)).status).toBe('running')
  await opened.trainings().pause(id)
  expect(await answer).toContain(model)
  expect((await opened.trainings().get(id)).status).toBe('paused')
  await servers.stop(model)
  await expect.poll(() => accelerators.isWanted('gpu-0', 'training/none')).toBe(false)
  expect([...errors, ...opened.errors()]).toEqual([])
})

test('trainings and servers that want one accelerator at once all come to their end', async () => {
  const { ask, errors, opened, serve } = await openMachine({ accelerator: 'gpu-0' })
  for (const name of ['one', 'other']) await serve(name, { accelerator: 'gpu-0' })
  const first = await opened.trainings().create(opened.request())
  const answers = Promise.all([ask('one'), ask('other'), ask('one')])
  const second = await opened.trainings().create(opened.request())
  expect((await answers).map((answer) => answer.split(' ')[0])).toHaveLength(3)
  for (const { id } of [first, second]) await opened.until(id, hasEnded)
  expect([...errors, ...opened.errors()]).toEqual([])
})

test('a service that is started again goes on with the training that has the accelerator, and gives it back', async () => {
  const { accelerators, opened } = await openMachine({ accelerator: 'gpu-0' })
  const { id } = await opened.trainings().create(opened.request({ ...endlessAtFirst, checkpoint_steps: 4 }))
  await opened.until(id, isAtStep(5))
  expect(await accelerators.take('gpu-0', 'serving/another')).toBe(false)
  await accelerators.release('gpu-0', 'serving/another')
  await opened.restart()
  await opened.until(id, hasEnded)
  expect(await openAccelerators(opened.world()).take('gpu-0', 'serving/another')).toBe(true)
})

test('a training that has lost the accelerator saves a checkpoint, and goes on when it is free again', async () => {
  const { accelerators, opened } = await openMachine({ accelerator: 'gpu-0' })
  const { id } = await opened.trainings().create(opened.request(endless))
  await opened.until(id, isAtStep(5))
  // One that waits already comes before the training, which asks again at each look.
  expect(await accelerators.take('gpu-0', 'serving/another')).toBe(false)
  // As if it had not been kept for a minute.
  await accelerators.release('gpu-0', `training/${id}`)
  await expect.poll(() => accelerators.take('gpu-0', 'serving/another')).toBe(true)
  const waiting = await opened.until(
    id,
    ({ checkpoints, progress }) =>
      progress.waiting_for !== null && checkpoints.some(({ step }) => step === 5),
  )
  expect(waiting).toMatchObject({ status: 'running', usage: { starts: 1 } })
  await accelerators.release('gpu-0', 'serving/another')
  // From its fifth step on it waits for nothing more.
  const { usage } = await opened.until(id, hasEnded)
  expect(usage.starts).toBe(2)
  await expect.poll(() => accelerators.take('gpu-0', 'serving/another')).toBe(true)
})

test('without an accelerator trainings and servers run side by side', async () => {
  const { ask, opened, serve, servers } = await openMachine({})
  const model = await serve('policy')
  await ask('policy')
  const { id } = await opened.trainings().create(opened.request(endless))
  await opened.until(id, isAtStep(5))
  expect((await servers.get(model)).state).toBe('running')
  expect(await ask('policy')).toContain(model)
  await opened.trainings().cancel(id)
})
