import { z } from 'zod'
import { availableMemory } from '../../../shared/core/programs/available-memory.ts'
import { errorFields, logToStderr as log } from '../../api/log.ts'
import { runWorker } from './run-worker.ts'

const { ESPALIER_PLACES: places } = z
  .object({ ESPALIER_PLACES: z.coerce.number().pipe(z.int().min(1).max(10_000)).default(500) })
  .parse(process.env)

const leaving = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => leaving.abort(signal))

try {
  const { env: environment } = process
  await runWorker({ environment, places, memory: availableMemory(), log, interruption: leaving.signal })
  process.exit(0)
} catch (error) {
  log({ level: 'error', event: 'worker.failed', ...errorFields(error) })
  process.exit(1)
}
