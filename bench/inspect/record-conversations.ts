import type { Message } from '../../shared/core/contracts/message.ts'
import { noKnowledge, renderAgentPrompt } from '../../shared/play/methods/prompts/agent-prompt.ts'
import { reactPrompt } from '../../shared/play/methods/prompts/react-prompt.ts'
import { PromptBook } from '../../shared/play/search/prompt-book.ts'
import { answerPrompt } from '../../shared/play/simulated/simulated-policy.ts'
import { example, exampleCore, exampleGuide } from '../example-environment.ts'

export interface Conversation {
  system: string
  observations: string[]
}

export function recordConversations(count: number): Conversation[] {
  const system = renderAgentPrompt(reactPrompt, new PromptBook(), exampleGuide, noKnowledge)
  const tasks = example.tasks()
  return Array.from({ length: count }, (_, episode) => ({
    system,
    observations: playEpisode(system, tasks[episode % tasks.length]?.id ?? '', episode),
  }))
}

function playEpisode(system: string, task: string, episode: number): string[] {
  let { state, observation } = exampleCore.reset(task, 0)
  let done = false
  const observations: string[] = []
  const messages: Message[] = [{ role: 'system', content: system }]
  while (!done && observations.length < example.default_max_steps) {
    observations.push(observation)
    messages.push({ role: 'user', content: observation })
    const seed = episode * example.default_max_steps + observations.length
    const content = answerPrompt(messages, { skill: 0.4, seed: 1 }, { seed, choice: 0 })
    messages.push({ role: 'assistant', content })
    ;({ state, observation, done } = exampleCore.step(state, content.split('Action: ')[1] ?? ''))
  }
  return observations
}
