import { describe, expect, test } from 'vitest'
import { prompts } from '../../../../shared/data/datasets/kinds/prompts.ts'
import { attemptOf } from '../../../builders/attempts.ts'
import { head, pathOf } from '../../../builders/trees.ts'
import { findAll } from './hand-made.ts'

const attempts = [
  attemptOf(pathOf(['a'], 1, []), { episode: 'mute', seed: 1 }),
  attemptOf(pathOf(['a'], 0.5), { episode: 'half', seed: 2 }),
  attemptOf(pathOf(['a'], 0), { episode: 'lost', seed: 3 }),
  attemptOf(pathOf(['a'], 1), { episode: 'stopped', reward: null, success: false, status: 'limited' }),
]

describe('prompts', () => {
  test('are one for each task, from the first attempt that has one, with how all of them did', async () => {
    const { found, out } = await findAll(prompts, attempts)
    expect(found).toEqual([
      {
        row: {
          type: 'prompt',
          prompt: head,
          reference: {
            environment: 'textcraft',
            data: null,
            task: 'stick',
            seed: 2,
            mean_reward: 0.5,
            success_rate: 1 / 3,
            attempts: 3,
          },
        },
        origin: { attempt: attempts[1], node_ids: [0] },
      },
    ])
    expect(out).toEqual({
      'run-1/mute': 'no_prompt',
      'run-1/lost': 'same_prompt',
      'run-1/stopped': 'same_prompt',
    })
  })

  test('of tasks that are too easy or too hard are left out, the bounds being within', async () => {
    const reasons = async (parameters: object, some = attempts) =>
      new Set(Object.values((await findAll(prompts, some, parameters)).out))
    expect(await reasons({ min_success_rate: 0.5 })).toEqual(new Set(['success_rate']))
    expect(await reasons({ max_success_rate: 0.3 })).toEqual(new Set(['success_rate']))
    const within = await findAll(prompts, attempts, { min_success_rate: 1 / 3, max_success_rate: 1 / 3 })
    expect(within.rows).toHaveLength(1)
    expect(await reasons({ min_success_rate: 0.1 }, attempts.slice(3))).toEqual(new Set(['no_reward']))
  })

  test('of tasks about which nothing is known have no means', async () => {
    const { rows } = await findAll(prompts, attempts.slice(3))
    expect(rows[0]?.reference).toMatchObject({ mean_reward: null, success_rate: null, attempts: 0 })
  })

  test('refuse bounds that leave nothing', () => {
    const crossed = prompts.parameters.safeParse({ min_success_rate: 0.6, max_success_rate: 0.4 })
    expect(crossed.error?.issues[0]?.path).toEqual(['min_success_rate'])
  })
})
