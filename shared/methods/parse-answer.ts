/** How an agent's answers are read: as here, as in Agent-R, or as in ETO. */
export const answerStyles = ['plain', 'agent-r', 'eto'] as const

export type AnswerStyle = (typeof answerStyles)[number]

/** A model's answer, read as a thought and an action. */
export interface ParsedAnswer {
  /**
   * What stays in the conversation of the answer, without the numbering that some models add ("Action 1:"): what two samples
   * are compared by.
   */
  message: string
  action: string
  /** What is answered in place of a step where the style demands an action and there is none. */
  complaint?: string
}

const marker = 'Action:'

/** No action of any environment is nearly as long; what runs on is a model that does not stop. */
const longestAction = 4000

/** A line on which a model continues as if it were the environment. */
const invented = /^[ \t]*Observation(?: \d+)?:/gm

/**
 * Reads an answer in the form `Thought: …\nAction: …`.
 *
 * - `plain`: what a model invents after its action, from the first `Observation:` on, does not count. Of the rest the last
 *   `Action:` is the action, on its line, and nothing after that line is kept.
 * - `agent-r`: the last `Action:` of the whole answer is the action, on its line, and the whole answer is kept. So are
 *   answers of runs read that record no style.
 * - `eto`: the first `Action:` with all that follows it is the action, and the whole answer is kept. An answer without one is
 *   no action.
 *
 * Except with `eto`, an answer without `Action:` counts as an action with its last line, which costs a step and earns the
 * environment's complaint.
 *
 * @param environment decides on the marks and the complaint of `eto`, which differ among ETO's environments
 * @see Agent-R, mcts_utils: markers `Thought 1:` and `Action 1:` are taken for the plain ones
 * @see Song et al. 2024, ETO (arXiv 2403.02502), eval_agent/envs
 */
export function parseAnswer(answer: string, style: AnswerStyle = 'agent-r', environment = ''): ParsedAnswer {
  switch (style) {
    case 'plain':
      return readPlain(answer)
    case 'agent-r':
      return readLast(withoutNumbers(answer))
    case 'eto':
      return readFirst(answer.trim(), environment)
  }
}

function readPlain(answer: string): ParsedAnswer {
  const whole = withoutNumbers(answer)
  const first = whole.indexOf(marker)
  if (first < 0) return readLast(whole)
  invented.lastIndex = first
  const message = whole.slice(0, invented.exec(whole)?.index ?? whole.length).trimEnd()
  const start = message.lastIndexOf(marker) + marker.length
  // The action may begin on a line below its mark.
  const text = start + (message.slice(start).length - message.slice(start).trimStart().length)
  const end = message.indexOf('\n', text)
  return readLast(end < 0 ? message : message.slice(0, end).trimEnd())
}

function readLast(message: string): ParsedAnswer {
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

/** Only in ALFWorld the mark stands without the blank after it. */
function readFirst(message: string, environment: string): ParsedAnswer {
  const isHousehold = environment.startsWith('alfworld')
  const mark = isHousehold ? marker : `${marker} `
  const start = message.indexOf(mark)
  if (start >= 0)
    return { message, action: message.slice(start + mark.length, start + mark.length + longestAction).trim() }
  const complaint = isHousehold
    ? "Error Input. Your input must contains 'Action: '"
    : "Invalid format. The input must contains 'Action: '"
  return { message, action: '', complaint }
}

function withoutNumbers(answer: string): string {
  return answer.trim().replaceAll('Action 1:', marker).replaceAll('Thought 1:', 'Thought:')
}
