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
/** The same for actions that are blocks of code. */
const longestBlocks = 20_000

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
 * Where actions are blocks between triple back-ticks, what stands inside of one is no mark, and an action that begins with a block goes
 * on to the end of the last one. An answer without `Action:` has its blocks as its action.
 *
 * @param environment decides on the marks and the complaint of `eto`, which differ among ETO's environments
 * @param inBlocks whether the environment's actions may be blocks between triple back-ticks
 * @see Agent-R, mcts_utils: markers `Thought 1:` and `Action 1:` are taken for the plain ones
 * @see Song et al. 2024, ETO (arXiv 2403.02502), eval_agent/envs
 */
export function parseAnswer(
  answer: string,
  style: AnswerStyle = 'agent-r',
  environment = '',
  inBlocks = false,
): ParsedAnswer {
  switch (style) {
    case 'plain':
      return readPlain(answer, inBlocks)
    case 'agent-r':
      return readLast(withoutNumbers(answer), inBlocks)
    case 'eto':
      return readFirst(answer.trim(), environment, inBlocks)
  }
}

function readPlain(answer: string, inBlocks: boolean): ParsedAnswer {
  const whole = withoutNumbers(answer)
  const marks = inBlocks ? coverBlocks(whole) : whole
  const first = marks.indexOf(marker)
  if (first < 0) return readLast(whole, inBlocks)
  invented.lastIndex = first
  const message = whole.slice(0, invented.exec(marks)?.index ?? whole.length).trimEnd()
  const start = marks.slice(0, message.length).lastIndexOf(marker) + marker.length
  // The action may begin on a line below its mark.
  const text = start + (message.slice(start).length - message.slice(start).trimStart().length)
  const blocks = inBlocks ? endOfBlocks(marks.slice(0, message.length), text) : null
  const end = blocks ?? message.indexOf('\n', text)
  return readLast(end < 0 ? message : message.slice(0, end).trimEnd(), inBlocks)
}

function readLast(message: string, inBlocks: boolean): ParsedAnswer {
  const marks = inBlocks ? coverBlocks(message) : message
  const start = marks.lastIndexOf(marker)
  const blocks = inBlocks ? readBlocks(message, marks, start) : null
  if (blocks !== null) return { message, action: blocks.slice(0, longestBlocks) }
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

/** Those after a mark, or all where there is none; null where the action is a line. */
function readBlocks(message: string, marks: string, start: number): string | null {
  const after = marks.slice(start < 0 ? 0 : start + marker.length)
  const text = start < 0 ? startOfBlocks(marks) : marks.length - after.trimStart().length
  const end = endOfBlocks(marks, text)
  return end === null ? null : message.slice(text, end)
}

/** Only in ALFWorld the mark stands without the blank after it. */
function readFirst(message: string, environment: string, inBlocks: boolean): ParsedAnswer {
  const isHousehold = environment.startsWith('alfworld')
  const mark = isHousehold ? marker : `${marker} `
  const start = message.indexOf(mark)
  const longest = inBlocks ? longestBlocks : longestAction
  if (start >= 0)
    return { message, action: message.slice(start + mark.length, start + mark.length + longest).trim() }
  const complaint = isHousehold
    ? "Error Input. Your input must contains 'Action: '"
    : "Invalid format. The input must contains 'Action: '"
  return { message, action: '', complaint }
}

function withoutNumbers(answer: string): string {
  return answer.trim().replaceAll('Action 1:', marker).replaceAll('Thought 1:', 'Thought:')
}

/** What stands in place of each character of a block. */
const cover = '\0'

/**
 * A text in which blocks between triple back-ticks are covered, back-ticks included, so that nothing is found inside of them. All places
 * stay the same. A block that is not closed goes on to the end.
 */
function coverBlocks(text: string): string {
  return text.replace(/```[\s\S]*?(?:```|$)/g, (block) => cover.repeat(block.length))
}

/** Where the first block of a covered text begins; less than 0 where there is none. */
function startOfBlocks(covered: string): number {
  return covered.indexOf(cover)
}

/** Where the last block of a covered text ends, where one begins at a place; null where none does. */
function endOfBlocks(covered: string, place: number): number | null {
  return covered.charAt(place) === cover ? covered.lastIndexOf(cover) + 1 : null
}
