import type { Message } from '../../../shared/core/contracts/message.ts'
import { readAction } from '../../../shared/environments/simulated/policy.ts'
import { textcraft } from '../../../shared/environments/textcraft/textcraft.ts'
import { answerPrompt } from '../../../shared/play/simulated/simulated-policy.ts'

export function testTasks(count: number): string[] {
  const tasks = textcraft.tasks().filter(({ split }) => split === 'test')
  return tasks.slice(0, count).map(({ id }) => id)
}

/** Lets the simulated model play a task, with a prompt that keeps only the newest `window` turns. */
export function playTextcraft(
  task: string,
  options: { skill: number; seed?: number; steps?: number; window?: number },
): { solved: boolean; steps: number } {
  const { skill, seed = 0, steps = 20, window = Number.POSITIVE_INFINITY } = options
  let { state, observation } = textcraft.reset(task, 0)
  const start: Message[] = [
    { role: 'system', content: 'You play a crafting game. Answer with Thought: and Action:.' },
    { role: 'user', content: observation },
  ]
  const turns: Message[] = []
  for (let step = 0; step < steps; step++) {
    const messages = [...start, ...turns.slice(Math.max(0, turns.length - 2 * window))]
    const content = answerPrompt(messages, { skill, seed }, { seed: step, choice: 0 })
    const result = textcraft.step(state, readAction(content) ?? content)
    if (result.done) return { solved: result.reward === 1, steps: step + 1 }
    state = result.state
    observation = result.observation
    turns.push({ role: 'assistant', content }, { role: 'user', content: observation })
  }
  return { solved: false, steps }
}
