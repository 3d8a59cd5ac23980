import type { JsonObject } from '../../shared/core/contracts/json.ts'
import type { BackendRequest, ServedEnvironment } from '../env-host/session-backend.ts'
import { ProgramBackend } from './program-backend.ts'
import type { ProgramPool } from './program-pool.ts'

export interface ProgramPlace {
  pool: ProgramPool
  request: BackendRequest
  options: JsonObject
}

export function programSessions(
  placeOf: (wanted: BackendRequest) => ProgramPlace,
): Required<Pick<ServedEnvironment, 'open' | 'takeOver'>> {
  return {
    async open(wanted) {
      const { pool, request, options } = placeOf(wanted)
      return new ProgramBackend(pool, await pool.take(), request, options)
    },
    async takeOver(wanted, earlier) {
      if (!(earlier instanceof ProgramBackend)) {
        await earlier.close()
        return null
      }
      try {
        const { pool, request, options } = placeOf(wanted)
        return await earlier.passOn(pool, request, options)
      } catch (error) {
        await earlier.close()
        throw error
      }
    },
  }
}
