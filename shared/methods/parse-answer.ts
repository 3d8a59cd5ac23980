/** A model's answer, read as a thought and an action. */
export interface ParsedAnswer {
  /** The answer without the numbering that some models add ("Action 1:"): what two samples are compared by. */
  message: string
  action: string
}

const marker = 'Action:'

/** No action of any environment is nearly as long; what runs on is a model that does not stop. */
const longestAction = 4000

/**
 * Reads an answer in the form `Thought: …\nAction: …`. The action is what follows the last `Action:` on its line; an
 * answer without one counts as an action with its last line, which costs a step and earns the environment's complaint.
 *
 * @see Agent-R, mcts_utils: markers `Thought 1:` and `Action 1:` are taken for the plain ones
 */
export function parseAnswer(answer: string): ParsedAnswer {
  const message = answer.trim().replaceAll('Action 1:', marker).replaceAll('Thought 1:', 'Thought:')
  const start = message.lastIndexOf(marker)
  const lines = message
    .slice(start < 0 ? 0 : start + marker.length)
    .trim()
    .split('\n')
  const line = (start < 0 ? lines.at(-1) : lines[0]) ?? ''
  return {
    message,
    action: line
      .trim()
      .replace(/^\d+\.\s*/, '')
      .slice(0, longestAction),
  }
}
