import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { requestSchema, toRunRequest } from '../../../cli/mcp/starting-tools.ts'
import { runRequestSchema } from '../../../shared/core/contracts/run.ts'

const least = { environment: 'textcraft', method: 'react', model: 'simulated', max_cost: 0.5 }
const requestOf = (given: object) => toRunRequest(requestSchema.parse({ ...least, ...given }))

describe('the request of a started run', () => {
  test('has the cap in dollars as a limit of the run, which the service enforces', () => {
    expect(runRequestSchema.parse(requestOf({}))).toMatchObject({
      environment: 'textcraft',
      tasks: { split: 'test' },
      method: { id: 'react' },
      model: { endpoint: 'simulated', id: 'simulated' },
      limits: { cost: 0.5 },
    })
    expect(requestOf({ more: { limits: { tokens: 9 } } })).toMatchObject({ limits: { cost: 0.5, tokens: 9 } })
  })

  test('has parameters of the method, and fields of the body that are no arguments', () => {
    const more = { episode_limits: { steps: 3 }, tags: ['mine'] }
    expect(
      requestOf({ tasks: ['textcraft-0001'], parameters: { iterations: 4, id: 'mcts' }, more }),
    ).toMatchObject({
      ...more,
      tasks: { ids: ['textcraft-0001'] },
      method: { id: 'react', iterations: 4 },
    })
  })

  test.each([
    [{ more: { limits: { cost: 1e6 } } }, 'max_cost'],
    [{ more: { limits: 5 } }, 'more.limits'],
    [{ more: { model: { endpoint: 'other', id: 'dear' } } }, 'more.model'],
    [{ more: { environment: 'alfworld' } }, 'more.environment'],
  ])('%j is refused, and the field is named', (given, message) => {
    expect(() => requestOf(given)).toThrow(message)
  })

  test.each([
    [{ max_cost: 0 }],
    [{ max_cost: -1 }],
    [{ max_cost: Number.NaN }],
    [{ max_cost: '5' }],
    [{ max_cost: undefined }],
    [{ limits: { cost: 1e6 } }],
  ])('%j has no meaning as a cap', (given) => {
    expect(() => requestOf(given)).toThrow(z.ZodError)
  })
})
