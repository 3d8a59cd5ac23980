import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { childrenOf, startEspalier } from '../service/processes.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { expectSame, playAll, playLocally, startModel } from './play-runs.ts'
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
