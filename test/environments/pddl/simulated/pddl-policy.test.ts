import { describe, expect, test } from 'vitest'
import type { Message } from '../../../../shared/core/contracts/message.ts'
import { seededRandom } from '../../../../shared/core/random/seeded-random.ts'
import type { EnvironmentTask } from '../../../../shared/environments/environment.ts'
import { pddl, pddlMaxSteps } from '../../../../shared/environments/pddl/pddl.ts'
import { pddlPolicy } from '../../../../shared/environments/pddl/simulated/pddl-policy.ts'
import { readAction } from '../../../../shared/environments/simulated/policy.ts'

/** Lets the policy play a task; a whole prompt, with the rules and the example before it. */
async function play(task: EnvironmentTask, skill: number, mostSteps: number) {
  const core = await pddl.open(task.id)
  const { rules, example } = pddl.describe(task)
  let { state, observation } = core.reset(task.id, 0)
  const messages: Message[] = [
    { role: 'system', content: `${rules}\n\n${example?.observation}` },
    { role: 'user', content: observation },
  ]
  const random = seededRandom(task.id, skill)
  for (let step = 1; step <= mostSteps; step += 1) {
    const content = pddlPolicy.answer(messages, skill, random) ?? ''
    const result = core.step(state, readAction(content) ?? content)
    if (skill === 1) expect([task.id, content, result.valid]).toEqual([task.id, content, true])
    if (result.done) return { solved: true, steps: step }
    state = result.state
    messages.push({ role: 'assistant', content }, { role: 'user', content: result.observation })
  }
  return { solved: false, steps: mostSteps }
}

describe('against the real environment', () => {
  test('solves every task without mistakes, in the cap where that can be, and never below its lower bound', async () => {
    for (const task of pddl.tasks()) {
      const { solved, steps } = await play(task, 1, 45)
      const bound = task.min_steps ?? 0
      expect([task.id, solved, steps >= bound]).toEqual([task.id, true, true])
      expect([task.id, steps <= pddlMaxSteps]).toEqual([task.id, bound <= pddlMaxSteps])
    }
  })

  test('solves fewer with less skill, and still some', async () => {
    const tasks = pddl.tasks().filter(({ split }) => split === 'test')
    const solvedWith = async (skill: number) => {
      const results = await Promise.all(tasks.map((task) => play(task, skill, pddlMaxSteps)))
      return results.filter(({ solved }) => solved).length
    }
    const [weak, middling] = [await solvedWith(0.4), await solvedWith(0.8)]
    expect(weak).toBeLessThan(middling)
    expect(weak).toBeGreaterThan(0)
    expect(middling).toBeLessThan(tasks.length - 3)
  })
})

describe('from a prompt', () => {
  const prompt = (...observations: string[]): Message[] => [
    {
      role: 'user',
      content: 'Objects: n1, n2.\nAlways true: Road n1 n2.\nGoal: visited n2.\nState: At n1.',
    },
    ...observations.flatMap((content): Message[] => [
      { role: 'assistant', content: 'Action: something' },
      { role: 'user', content },
    ]),
  ]
  const answer = (messages: Message[]) =>
    readAction(pddlPolicy.answer(messages, 1, seededRandom('prompt')) ?? '')

  test('of an unknown domain it asks for the valid actions, and takes one', () => {
    expect(answer(prompt())).toBe('check valid actions')
    expect(answer(prompt('Valid actions:\ndrive n1 n2'))).toBe('drive n1 n2')
    expect(answer(prompt('Valid actions:\ndrive n1 n2', 'At n2.'))).toBe('check valid actions')
  })

  test('of anything else it says nothing', () => {
    const other: Message[] = [{ role: 'user', content: 'Crafting commands:\n\nGoal: craft torch.' }]
    expect(pddlPolicy.answer(other, 1, seededRandom('prompt'))).toBeNull()
  })
})
