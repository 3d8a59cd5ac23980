import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CreateBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { startS3 } from '../aws/emulators/emulator-sets.ts'
import { childrenOf, startEspalier } from '../service/processes.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { expectSame, playAll, playLocally, startModel, wanted } from './play-runs.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres([])
})
afterAll(() => server.remove())

test('killed workers, cut connections and a crashed database change no tree, no end and no cent', async () => {
  const expected = await playLocally()

  const model = await startModel()
  const words = ['--world', server.newWorld(), '--objects', await temporaryFolder(), '--folder']
  const machine = await temporaryFolder()
  await writeFile(join(machine, 'endpoints.json'), model.endpoints)
  const service = await startEspalier('serve', ...words, model.folder, '--port', '0', '--workers', '1')
  const startWorker = () => startEspalier('worker', ...words, machine, '--places', '8')
  const [first, second] = await Promise.all([startWorker(), startWorker()])
  const harm = [
    () => first.end('SIGKILL'),
    () => server.cutConnections(),
    async () => {
      await server.stop('crash')
      await server.start()
    },
    () => server.cutConnections(),
    // Last, because the runs may end before the worker has started.
    async () => {
      for (const own of await childrenOf(service)) process.kill(own, 'SIGKILL')
      await startWorker()
    },
  ]
  const played = await playAll(service, async () => {
    await harm.shift()?.()
  })
  expect(harm).toEqual([])

  await expectSame(service, played, expected, model.stats)

  expect(await second.end('SIGTERM')).toBe(0)
  expect(await service.end('SIGTERM')).toBe(0)
})

test('workers that commit in groups to a bucket, killed in play, change no tree, no end and no cent', async () => {
  const runs = wanted.map((run) => ({ ...run, tasks: 8 }))
  const expected = await playLocally(runs)
  const s3 = await startS3()
  onTestFinished(s3.stop)
  for (const [name, value] of Object.entries(s3.variables)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  const client = new S3Client({ forcePathStyle: true })
  const Bucket = 'objects'
  await client.send(new CreateBucketCommand({ Bucket }))

  const model = await startModel()
  const words = ['--world', server.newWorld(), '--objects', `s3://${Bucket}`, '--folder']
  const machine = await temporaryFolder()
  await writeFile(join(machine, 'endpoints.json'), model.endpoints)
  const service = await startEspalier('serve', ...words, model.folder, '--port', '0', '--workers', '1')
  const startWorker = () => startEspalier('worker', ...words, machine, '--places', '8')
  const first = await startWorker()
  let logObjects = 0
  const harm = [
    async () => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: 'runs/' }))
      logObjects = Contents.filter(({ Key }) => /^runs\/[^/]+\/logs\//.test(Key ?? '')).length
      await first.end('SIGKILL')
      await startWorker()
    },
    async () => {
      for (const own of await childrenOf(service)) process.kill(own, 'SIGKILL')
    },
  ]
  const played = await playAll(
    service,
    async () => {
      await harm.shift()?.()
    },
    runs,
  )
  expect(harm).toEqual([])
  expect(logObjects).toBeGreaterThan(0)
  await expectSame(service, played, expected, model.stats)
  expect(await service.end('SIGTERM')).toBe(0)
})
