import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { SessionResult, SessionSource } from '../../../shared/environments/session-source.ts'
import { PureSessions } from '../../../shared/environments/validation/pure-sessions.ts'
import { toyEnvironment } from './toy-environment.ts'

/** Sessions without states of others; `change` is made to each result of going back to a state of their own. */
export function withOwnStates(change: (result: SessionResult) => SessionResult): SessionSource {
  const source = new PureSessions(toyEnvironment())
  return {
    async open(request) {
      const { live, result } = await source.open(request)
      const own = new Set([result.snapshot])
      const keep = (came: SessionResult) => {
        own.add(came.snapshot)
        return came
      }
      return {
        result,
        live: {
          step: async (action) => keep(await live.step(action)),
          async restore(snapshot) {
            if (snapshot === null) return keep(await live.restore(null))
            if (own.has(snapshot)) return change(await live.restore(snapshot))
            throw new EspalierError('state_not_kept', 'Another session reached this state.')
          },
          close: () => live.close(),
        },
      }
    },
  }
}
