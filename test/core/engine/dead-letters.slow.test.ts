import { expect, test } from 'vitest'
import { episodeId } from '../../../shared/core/contracts/episode.ts'
import { segmentKey } from '../../../shared/core/engine/journal-keys.ts'
import { ledgerKeys, objectKeys } from '../../../shared/core/engine/keys.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { openTestEngine, toRequest, untilStatus, withTasks } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const environment = withTasks(createHashEnvironment(1), 3)

test('an episode that cannot be taken up ends as errored after five tries, with the cause, and can be retried', async () => {
  const world = await openTestWorld()
  const engine = openTestEngine({ world, environment })
  const { id } = await engine.runs.create(toRequest())
  const torn = segmentKey(objectKeys.journal(id, episodeId(1), 1), 1)
  await world.objects.put(torn, Buffer.from('not a journal'))
  await engine.worker.start()

  const run = await untilStatus(engine, id, 'succeeded', 'failed')
  expect(run.episodes).toMatchObject({ total: 3, errored: 1 })
  const { result } = await engine.runs.episode(id, episodeId(1))
  expect(result).toMatchObject({ status: 'errored', reward: null, success: null })
  expect(result?.error?.message).toMatch(/taken up 5 times .* The last error: \w+: .+\. Retry the run/)

  await world.objects.delete(torn)
  await engine.runs.retry(id)
  expect((await untilStatus(engine, id, 'succeeded', 'failed')).episodes.errored).toBe(0)
})

test('a dead letter of an episode that has ended, or is being played, changes nothing', async () => {
  const world = await openTestWorld()
  const engine = openTestEngine({ world, environment })
  const { id } = await engine.runs.create(toRequest())
  const played = ledgerKeys.episode(id, episodeId(0))
  await world.ledger.update({ key: played, set: { worker: 'busy', status: 'running' } })
  await world.ledger.update({ key: ledgerKeys.worker('busy'), set: { expires: Date.now() + 60_000 } })
  expect(await engine.bury({ run: id, episode: episodeId(0) })).toBe(false)
  await world.ledger.update({ key: played, set: { worker: null, status: 'queued' } })
  await engine.worker.start()
  await untilStatus(engine, id, 'succeeded')
  const before = await engine.runs.episode(id, episodeId(1))
  expect(await engine.bury({ run: id, episode: episodeId(1) })).toBe(false)
  expect(await engine.runs.episode(id, episodeId(1))).toEqual(before)
})

test('messages that name no episode end among the dead letters and stop nothing', async () => {
  const world = await openTestWorld()
  const engine = openTestEngine({ world, environment })
  await world.queues.episodes.send([
    { body: { hello: 'world' }, group: 'other' },
    { body: { run: 'run-unknown', episode: episodeId(0) }, group: 'other' },
  ])
  await engine.worker.start()
  const { id } = await engine.runs.create(toRequest())
  expect((await untilStatus(engine, id, 'succeeded')).episodes.errored).toBe(0)
  while (!engine.errors.some((error) => String(error).includes('names no episode'))) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
})
