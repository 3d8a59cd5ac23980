import { describe, expect, test } from 'vitest'
import { isPure } from '../../shared/environments/environment.ts'
import { definitions } from '../../shared/environments/environments.ts'
import { openEnvironments } from '../../shared/environments/open-environments.ts'

const environments = openEnvironments(definitions, null)

/** The first task of an environment as a run with these options begins it, and what it answers to an action. */
async function begin(id: string, options: Record<string, string>, action: string) {
  const { environment } = await environments.open(id, 'builtin', options)
  if (!isPure(environment)) throw new Error(`${id} is pure.`)
  const [task] = environment.tasks()
  if (task === undefined) throw new Error(`${id} has tasks.`)
  const core = await environment.open(task.id)
  const { state, observation } = core.reset(task.id, 0)
  return {
    rules: environment.describe(task).rules,
    observation,
    answer: core.step(state, action).observation,
  }
}

describe('the option language: agentboard', () => {
  test('gives planning problems AgentBoard’s words, and is not the default', async () => {
    const { rules, observation, answer } = await begin(
      'pddl',
      { language: 'agentboard' },
      'check valid actions',
    )
    expect(observation).toMatch(/^The goal is to satisfy the following conditions: /)
    expect(answer).toMatch(/^Valid actions are: .*, check valid actions, look around$/)
    expect(rules).toContain('"<hand> grasp <container>"')
    expect((await begin('pddl', {}, 'look around')).observation).toMatch(/^Objects: /)
  })

  test('gives ALFWorld AgentBoard’s commands, and is not the default', async () => {
    const agentboard = await begin('alfworld', { language: 'agentboard' }, 'check valid actions')
    expect(agentboard.answer).toMatch(/^Choose an action from these valid actions: /)
    expect((await begin('alfworld', {}, 'check valid actions')).answer).toBe('Nothing happens.')
    const refused = await begin('alfworld', { refusal: 'not_valid' }, 'fly')
    expect(refused.answer).toMatch(/^The action is not valid and therefore takes no effect\. /)
  })
})
