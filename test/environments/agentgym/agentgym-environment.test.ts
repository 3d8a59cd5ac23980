import { describe, expect, test } from 'vitest'
import { openAgentgymEnvironment } from '../../../shared/environments/agentgym/agentgym-environment.ts'
import { agentgymServers } from '../../../shared/environments/agentgym/agentgym-kinds.ts'
import {
  agentgymRegistrationSchema,
  dataIndexOf,
} from '../../../shared/environments/agentgym/agentgym-registration.ts'

const valid = { id: 'lab-textcraft', server: 'textcraft', address: 'http://lab:36001/here' }

describe('a registered AgentGym server', () => {
  test('has the tasks of its ranges, split by split', () => {
    const splits = {
      train: [[3, 5]],
      test: [
        [0, 1],
        [9, 11],
      ],
    }
    const environment = openAgentgymEnvironment(agentgymRegistrationSchema.parse({ ...valid, splits }))
    expect(environment.tasks().map(({ id, split }) => `${split} ${id}`)).toEqual([
      'train lab-textcraft-00003',
      'train lab-textcraft-00004',
      'test lab-textcraft-00000',
      'test lab-textcraft-00009',
      'test lab-textcraft-00010',
    ])
    const numbers = environment.tasks().map(({ id }) => dataIndexOf('lab-textcraft', id))
    expect(numbers).toEqual([3, 4, 0, 9, 10])
  })

  test.each(agentgymServers)('of the kind %s has facts and a guide', (server) => {
    const environment = openAgentgymEnvironment(agentgymRegistrationSchema.parse({ ...valid, server }))
    const [first] = environment.tasks()
    expect(environment).toMatchObject({ snapshot: 'replay', success_threshold: 1 })
    expect(environment.host).toMatchObject({ kind: 'agentgym', server, address: valid.address })
    expect(first && environment.describe(first).rules.length).toBeGreaterThan(200)
  })

  test('of BabyAI has the level as the type of a task', () => {
    const environment = openAgentgymEnvironment(
      agentgymRegistrationSchema.parse({ ...valid, server: 'babyai' }),
    )
    expect(
      environment
        .tasks()
        .slice(38, 42)
        .map(({ type }) => type),
    ).toEqual(['level-39', 'level-40', 'level-1', 'level-2'])
  })

  test.each([
    { address: 'file:///etc/passwd' },
    { address: 'lab:36001' },
    { server: 'maze' },
    { id: 'Lab' },
    { splits: {} },
    { splits: { test: [[5, 5]] } },
    { splits: { test: [[0, 10]], train: [[9, 20]] } },
    { max_sessions: 0 },
    { token: 'secret' },
  ])('is refused with %o', (change) => {
    expect(agentgymRegistrationSchema.safeParse({ ...valid, ...change }).success).toBe(false)
  })
})
