import type { Message } from '../../shared/core/contracts/message.ts'
import { textcraftGuide } from '../../shared/environments/textcraft/guide.ts'
import { textcraftMaxSteps } from '../../shared/environments/textcraft/tasks.ts'
import { textcraft } from '../../shared/environments/textcraft/textcraft.ts'
import { noKnowledge, renderAgentPrompt } from '../../shared/play/methods/prompts/agent-prompt.ts'
import { reactPrompt } from '../../shared/play/methods/prompts/react-prompt.ts'
import { PromptBook } from '../../shared/play/search/prompt-book.ts'
import { answerPrompt } from '../../shared/play/simulated/simulated-policy.ts'

export interface Conversation {
  system: string
  observations: string[]
}

export function recordConversations(count: number): Conversation[] {
  const system = renderAgentPrompt(reactPrompt, new PromptBook(), textcraftGuide, noKnowledge)
  const tasks = textcraft.tasks()
  return Array.from({ length: count }, (_, episode) => ({
    system,
    observations: playEpisode(system, tasks[episode % tasks.length]?.id ?? '', episode),
  }))
}

function playEpisode(system: string, task: string, episode: number): string[] {
  let { state, observation } = textcraft.reset(task, 0)
  let done = false
  const observations: string[] = []
  const messages: Message[] = [{ role: 'system', content: system }]
  while (!done && observations.length < textcraftMaxSteps) {
    observations.push(observation)
    messages.push({ role: 'user', content: observation })
    const seed = episode * textcraftMaxSteps + observations.length
    const content = answerPrompt(messages, { skill: 0.4, seed: 1 }, { seed, choice: 0 })
    messages.push({ role: 'assistant', content })
    ;({ state, observation, done } = textcraft.step(state, content.split('Action: ')[1] ?? ''))
  }
  return observations
}
