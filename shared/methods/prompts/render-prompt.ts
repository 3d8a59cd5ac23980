import type { Message } from '../../contracts/message.ts'
import type { Prompt } from './prompt.ts'

/**
 * What stands before the first action: a system message with the instructions and the example, and the first observation.
 * The example is not played out as turns, so that a training row has no assistant turn that the agent did not write.
 */
export function renderPrompt({ instructions, example }: Prompt, observation: string): Message[] {
  const opening: Message = { role: 'user', content: observation }
  if (example === null) return [{ role: 'system', content: instructions }, opening]
  const turns = example.turns.map(
    (turn) => `Thought: ${turn.thought}\nAction: ${turn.action}\nObservation: ${turn.observation}`,
  )
  const shown = ['Here is an example of another task.', example.observation, ...turns].join('\n\n')
  return [{ role: 'system', content: `${instructions}\n\n${shown}` }, opening]
}
