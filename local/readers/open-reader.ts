import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createApp } from '../../functions/api/create-app.ts'
import { errorFields, type Log } from '../../functions/api/log.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { joinLocalWorld } from '../../shared/core/world/local/join-local-world.ts'
import { loopTurns } from '../../shared/core/world/local/loop-turns.ts'
import { SqliteIndex } from '../../shared/insight/transcripts/sqlite-index.ts'
import { localPrincipal } from '../local-principal.ts'
import { addMetricsRoute } from '../metrics-route.ts'
import { wireLocalService } from '../wire-local-service.ts'
import type { ReadAnswer, ReaderAssignment, ReadRequest } from './reader-messages.ts'

export interface Reader {
  read(request: ReadRequest): Promise<ReadAnswer>
  close(): Promise<void>
}

export async function openReader(
  assignment: ReaderAssignment,
  { log, onDamage }: { log: Log; onDamage: (name: string) => void },
): Promise<Reader> {
  const { auth, code, endpoints, folder, methodVersions, word } = assignment
  const onError = (error: unknown, what: string) =>
    log({ level: 'error', event: 'service.failed', what, ...errorFields(error) })
  const name = `reader-${randomUUID()}`
  const world = await joinLocalWorld({
    folder,
    name,
    holder: process.pid,
    // It sends no messages, so nothing waits for its rings.
    sharing: { onRing: () => undefined, onDamage },
  })
  const transcripts = new SqliteIndex(join(folder, 'transcripts.db'))
  const { api, models } = await wireLocalService({
    folder,
    world,
    endpoints: new Map(endpoints),
    code,
    methodVersions,
    worker: name,
    duties: [],
    transcripts,
    onError,
  })
  const app = createApp(api, { authenticate: localPrincipal({ keys: api.keys, auth, word }), log })
  addMetricsRoute(app, { world, version: packageFile.version })
  return {
    async read({ body, caller, headers, method, url }) {
      const request = new Request(url, {
        method,
        headers,
        ...(body !== null && { body: body as Uint8Array<ArrayBuffer> }),
      })
      const answer = await loopTurns.as(caller, () => app.fetch(request))
      return {
        status: answer.status,
        headers: [...answer.headers],
        body: new Uint8Array(await answer.arrayBuffer()),
      }
    },
    async close() {
      await transcripts.close()
      await models.close()
      await world.close()
    },
  }
}
