import { describe, expect, test } from 'vitest'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { ValidationReport } from '../../../shared/core/contracts/validation-report.ts'
import type { PureCore } from '../../../shared/environments/environment.ts'
import { SessionLostError } from '../../../shared/environments/session-lost-error.ts'
import type { SessionSource } from '../../../shared/environments/session-source.ts'
import { PureSessions } from '../../../shared/environments/validation/pure-sessions.ts'
import { validateEnvironment } from '../../../shared/environments/validation/validate-environment.ts'
import { type ToyState, toyEnvironment } from './toy-environment.ts'

describe('text that is not Unicode', () => {
  const pure = toyEnvironment()
  const { open: _, ...facts } = pure
  const hosted = { ...facts, host: { kind: 'image', image: 'toy' } } as never

  /** Sessions of a server that answers what is no Unicode with an error. */
  function refusing(error: () => Error, staysUp = true): SessionSource {
    const source: SessionSource = new PureSessions(pure)
    let isDown = false
    return {
      async open(request, signal) {
        if (isDown) throw new SessionLostError('connection refused')
        const { live, result } = await source.open(request, signal)
        const step = async (action: string, limit: AbortSignal) => {
          if (action.isWellFormed()) return live.step(action, limit)
          isDown = !staysUp
          throw error()
        }
        return {
          live: {
            step,
            restore: (snapshot, limit) => live.restore(snapshot, limit),
            close: () => live.close(),
          },
          result,
        }
      },
    }
  }

  test.each([
    ['4xx', () => new EspalierError('endpoint_failed', 'the status 422')],
    ['5xx', () => new SessionLostError('The host answered 500 without saying why.')],
  ])('may be refused by a server with a %s', async (_status, error) => {
    const report = await validateEnvironment(hosted, { sessions: refusing(error) })
    expect(failures(report)).toEqual([])
    expect(report.checks.find(({ id }) => id === 'odd-actions')?.status).toBe('passed')
  })

  test('must not end the server, and not fail otherwise than by an answer', async () => {
    const ended = refusing(() => new SessionLostError('no answer'), false)
    expect(failures(await validateEnvironment(hosted, { sessions: ended, tasks: 1 }))).toMatchObject([
      { id: 'odd-actions', reason: expect.stringContaining('connection refused') },
    ])
    const broken = refusing(() => new TypeError('of undefined'))
    expect(failures(await validateEnvironment(hosted, { sessions: broken, tasks: 1 }))).toMatchObject([
      { id: 'odd-actions', at: { action: '\ud800' } },
    ])
  })

  test('has to be answered by an environment in this process', async () => {
    const refuse = (core: PureCore<ToyState>): Partial<PureCore<ToyState>> => ({
      step(state, action) {
        if (!action.isWellFormed()) throw new Error('no such file')
        return core.step(state, action)
      },
    })
    expect(failures(await validateEnvironment(toyEnvironment({}, refuse as never)))).toMatchObject([
      { id: 'odd-actions', at: { action: '\ud800' } },
    ])
  })
})

function failures({ checks }: ValidationReport) {
  return checks.filter(({ status }) => status === 'failed')
}
