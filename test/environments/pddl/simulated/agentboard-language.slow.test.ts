import { describe, expect, test } from 'vitest'
import type { Message } from '../../../../shared/core/contracts/message.ts'
import type { EnvironmentTask, PureEnvironment } from '../../../../shared/environments/environment.ts'
import { createPddl } from '../../../../shared/environments/pddl/pddl.ts'
import { createRobotProblems } from '../../../../shared/environments/pddl/robot-problems.ts'
import { readAction } from '../../../../shared/environments/simulated/policy.ts'
import type { ActAnswer } from '../../../../shared/play/sandbox/program.ts'
import { answerPrompt } from '../../../../shared/play/simulated/simulated-policy.ts'
import { openHere } from '../../../play/sandbox/run-here.ts'

const problems = createRobotProblems(30)
const environments = (['usual', 'full'] as const).map(
  (observations) => [observations, createPddl(problems, { language: 'agentboard', observations })] as const,
)

async function play(environment: PureEnvironment, task: EnvironmentTask): Promise<boolean> {
  const core = await environment.open(task.id)
  const { rules, example } = environment.describe(task)
  let { state, observation } = core.reset(task.id, 0)
  const turns = example?.turns.map(
    ({ action, observation: seen }) => `Action: ${action}\nObservation: ${seen}`,
  )
  const messages: Message[] = [
    { role: 'system', content: [rules, example?.observation, ...(turns ?? [])].join('\n\n') },
    { role: 'user', content: observation },
  ]
  for (let step = 0; step < 45; step += 1) {
    const content = answerPrompt(messages, { skill: 1, seed: 0 }, { seed: step, choice: 0 })
    const result = core.step(state, readAction(content) ?? content)
    expect([task.id, content, result.valid]).toEqual([task.id, content, true])
    if (result.done) return true
    state = result.state
    messages.push({ role: 'assistant', content }, { role: 'user', content: result.observation })
  }
  return false
}

describe('the simulated model in AgentBoard’s language', () => {
  test.each(environments)('solves tasks of every domain with %s observations', async (_name, environment) => {
    const tasks = environment.tasks().filter(({ split, id }) => split === 'test' && id.endsWith('5'))
    expect(new Set(tasks.map(({ type }) => type)).size).toBe(4)
    for (const task of tasks) expect([task.id, await play(environment, task)]).toEqual([task.id, true])
  })

  test.each(['gripper', 'blockworld', 'tyreworld', 'barman'])(
    'writes functions for %s that do the task',
    async (type) => {
      const [, environment] = environments[1] ?? []
      const task = environment?.tasks().find((each) => each.type === type && each.split === 'train')
      if (environment === undefined || task === undefined) throw new Error(`There is a task of ${type}.`)
      const core = await environment.open(task.id)
      const start = core.reset(task.id, 0)
      const content = `This is how a task of this kind begins:\n${start.observation}\n\nWrite several functions. Answer with all of it in one block:\n\`\`\`js\n// functions, then calls\n\`\`\``
      const answer = answerPrompt([{ role: 'user', content }], { skill: 1, seed: 0 }, { seed: 0, choice: 0 })
      const code = /^```js\n([\s\S]*?)\n```$/m.exec(answer)?.[1] ?? ''
      const sandbox = await openHere()
      const answers: ActAnswer[] = []
      let { state } = start
      for (;;) {
        const ending = sandbox.run({ code, seed: 0 }, answers)
        if (ending.type !== 'acts') {
          expect(ending).toEqual({ type: 'ended', printed: [] })
          break
        }
        const result = core.step(state, ending.action)
        expect([ending.action, result.valid]).toEqual([ending.action, true])
        state = result.state
        answers.push({ observation: result.observation, valid: result.valid })
      }
      expect(core.step(state, 'check valid actions').progress).toBe(1)
    },
  )
})
