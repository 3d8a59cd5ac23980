import { expect, test } from 'vitest'
import { ServedEnvironments } from '../../../containers/env-host/served-environments.ts'
import type { BackendAnswer, ServedEnvironment } from '../../../containers/env-host/session-backend.ts'
import { SessionTable } from '../../../containers/env-host/session-table.ts'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { EnvironmentFacts } from '../../../shared/environments/environment.ts'
import { codeOf } from './code-of.ts'

const shown = (count: number): BackendAnswer => ({
  ...{ observation: `Count ${count}`, reward: 0, done: false, valid: true, progress: 0 },
  pictures: [{ media_type: 'image/png', data: 'iVBORw0KGgo=' }],
})

/** Counts; even numbers are kept, and are shown by other words when they are gone back to. */
function countingTable() {
  const kept = new Set<number>()
  const counting: ServedEnvironment = {
    id: 'counting',
    facts: async () => ({ id: 'counting' }) as EnvironmentFacts,
    async open() {
      let count = 0
      return {
        reset() {
          count = 0
          return shown(count)
        },
        step(action: string) {
          count += Number(action)
          return shown(count)
        },
        validActions: () => null,
        close: () => undefined,
        kept: {
          async keep() {
            if (count % 2 === 1) return null
            kept.add(count)
            return { count }
          },
          async restore({ count: wanted }) {
            if (!kept.has(Number(wanted))) throw new EspalierError('state_not_kept', 'It is not kept.')
            count = Number(wanted)
            return `Count ${count} again`
          },
        },
      }
    },
  }
  const environments = new ServedEnvironments([counting])
  return { kept, table: new SessionTable({ environments, slots: 2, sessionIdle: 60, leavesSpent: true }) }
}

const task = { environment: 'counting', task: 'any', seed: 0, token: 1 }

test('a step is answered with the state where it is kept, which every session of the host goes back to', async () => {
  const { table } = countingTable()
  const { id } = await table.create(task)
  const asked = { token: 1, snapshot: true }
  const two = await table.step(id, { action: '2', step_index: 0, ...asked })
  const three = await table.step(id, { action: '1', step_index: 1, ...asked })
  expect(three).not.toHaveProperty('snapshot')
  expect(await codeOf(() => table.snapshot(id, 1))).toBe('not_supported')
  const { snapshot } = two
  if (snapshot === undefined) throw new Error('An even number is kept.')
  expect(snapshot).toMatchObject({ observation: 'Count 2', step_index: 1, path: two.path })
  expect(snapshot).not.toHaveProperty('pictures')
  const other = await table.create(task)
  expect(await table.restore(other.id, { token: 1, snapshot })).toMatchObject({
    ...{ observation: 'Count 2 again', step_index: 1, path: two.path },
  })
  // What was shown on the way back is no part of the path.
  expect(await table.step(other.id, { action: '1', step_index: 1, token: 1 })).toMatchObject({
    path: three.path,
  })
})

test('a state that is kept no more is refused, and the session begins anew', async () => {
  const { table, kept } = countingTable()
  const { id } = await table.create(task)
  const { snapshot } = await table.step(id, { action: '2', step_index: 0, token: 1, snapshot: true })
  if (snapshot === undefined) throw new Error('An even number is kept.')
  kept.clear()
  expect(await codeOf(() => table.restore(id, { token: 1, snapshot }))).toBe('state_not_kept')
  expect(await table.restore(id, { token: 1 })).toMatchObject({ observation: 'Count 0', step_index: 0 })
  const damaged = { ...snapshot, state: { count: 4 } }
  expect(await codeOf(() => table.restore(id, { token: 1, snapshot: damaged }))).toBe('invalid_request')
})
