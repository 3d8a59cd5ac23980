import { evenBlanks } from '../answers/dress.ts'
import { coverBlocks, endOfBlocks, startOfBlocks } from '../answers/fences.ts'
import { findLabels } from '../answers/labels.ts'
import {
  type ActionLabel,
  endOfTag,
  isCalledAt,
  type ReadableAnswer,
  readLastLine,
  readLine,
  readMarks,
  readRest,
  uncovered,
} from '../answers/read-action.ts'
import { clipText } from '../contracts/well-formed.ts'

/** How an agent's answers are read: as here, as in Agent-R, or as in ETO. */
export const answerStyles = ['plain', 'agent-r', 'eto'] as const

export type AnswerStyle = (typeof answerStyles)[number]

/** A model's answer, read as a thought and an action. */
export interface ParsedAnswer {
  /**
   * The answer as it stays in the conversation, its reasoning included, without the numbering that some models add
   * ("Action 1:"). Two samples are compared by it.
   */
  message: string
  action: string
  /** The observation in place of a step if the answer has no action to take. */
  complaint?: string
}

/** The observation after an answer without a readable action. */
export const unparsableAnswer = 'No action could be read from this answer.'

/** No action of any environment is nearly as long; what runs on is a model that does not stop. */
const longestAction = 4000
/** The same for actions that are blocks of code. */
const longestBlocks = 20_000

/**
 * Reads an answer in the form `Thought: …\nAction: …`, its label in any case and dress (`**Action 2:**`, `### Action`). Reasoning
 * between marks such as `<think>` is passed over. Marks around a whole action are taken off, marks inside stay.
 *
 * - `plain`: what a model invents after its action, from the first `Observation:` on, does not count. Of the rest the last
 *   `Action:` is the action, on its line, and nothing after that line is kept.
 * - `agent-r`: the last `Action:` of the whole answer is the action, on its line, and the whole answer is kept. So are
 *   answers of runs read that record no style.
 * - `eto`: the first `Action:` with all that follows it is the action, and the whole answer is kept. An answer without one is
 *   no action.
 *
 * An answer without `Action:` may have an inline call of a tool. Except with `eto`, it otherwise counts as an action with its
 * last line, which costs a step and earns the environment's complaint. An answer of nothing but reasoning, and a call that is
 * no action's text, are complained about without a step.
 *
 * If actions are blocks between triple back-ticks, a label inside of one is no label, and an action that begins with a block
 * goes on to the end of the last one. An answer without `Action:` has its blocks as its action.
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
  const read = readMarks(style === 'eto' ? answer.trim() : withoutNumbers(answer))
  const parsed =
    style === 'eto'
      ? readFirst(read, environment, inBlocks)
      : readLast(inBlocks ? withBlocks(read) : read, style, inBlocks)
  // Blocks hold any text, and so may actions whose environment is not known.
  return inBlocks ? parsed : { ...parsed, action: evenBlanks(parsed.action) }
}

function withoutNumbers(answer: string): string {
  return answer.trim().replaceAll('Action 1:', 'Action:').replaceAll('Thought 1:', 'Thought:')
}

/** The answer with its blocks covered as well; a block around the whole answer is none. */
function withBlocks(read: ReadableAnswer): ReadableAnswer {
  const marks = coverBlocks(coverWrapper(read))
  const actions = read.actions.filter(({ word }) => marks.charAt(word) === read.marks.charAt(word))
  return { ...read, marks, actions }
}

/** Covers the fence around an answer that begins with a label inside of it. */
function coverWrapper({ marks, actions }: ReadableAnswer): string {
  const wrapper = /^\s*```(?:te?xt|plain(?:text)?|markdown|md)?[ \t]*(?=\n)/i.exec(marks)?.[0]
  if (wrapper === undefined) return marks
  const isWrapped = [findLabels(marks, 'Thought')[0], actions[0]].some(
    (label) => label?.leads === true && marks.slice(wrapper.length, label.start).trim() === '',
  )
  if (!isWrapped) return marks
  const inside = '\n'.repeat(wrapper.length) + marks.slice(wrapper.length)
  const isClosed = inside.trimEnd().endsWith('\n```') && inside.split('```').length % 2 === 0
  if (!isClosed) return inside
  const end = inside.trimEnd().length
  return `${inside.slice(0, end - 3)}\n\n\n${inside.slice(end)}`
}

function readLast(read: ReadableAnswer, style: 'plain' | 'agent-r', inBlocks: boolean): ParsedAnswer {
  const { text, marks, actions } = read
  const [first] = actions
  const invented =
    style === 'plain' && first !== undefined
      ? findLabels(marks, 'Observation').find(({ leads, start }) => leads && start > first.start)
      : undefined
  const end = invented?.start ?? text.length
  const label = actions.findLast(({ start }) => start < end)
  if (label === undefined) return readUnlabelled(read, inBlocks)
  const seen = marks.slice(0, end)
  const value = label.end + (seen.length - label.end - seen.slice(label.end).trimStart().length)
  const blocks = inBlocks ? endOfBlocks(seen, value) : null
  const line = readLine(seen, label)
  const message = style === 'plain' ? text.slice(0, blocks ?? endOfTag(text, line.end)).trimEnd() : text
  if (blocks !== null) return { message, action: clipText(text.slice(value, blocks), longestBlocks) }
  if (isCalledAt(read, label)) return { message, action: clipText(read.called ?? '', longestAction) }
  return { message, action: clipText(line.value, longestAction) }
}

function readUnlabelled(
  { text, marks, called, isMiscalled }: ReadableAnswer,
  inBlocks: boolean,
): ParsedAnswer {
  if (called !== null) return { message: text, action: clipText(called, longestAction) }
  const blocks = inBlocks ? startOfBlocks(marks) : -1
  const end = blocks < 0 ? null : endOfBlocks(marks, blocks)
  if (end !== null) return { message: text, action: clipText(text.slice(blocks, end), longestBlocks) }
  const action = isMiscalled ? '' : clipText(readLastLine(marks), longestAction)
  return { message: text, action, ...(action === '' && text !== '' && { complaint: unparsableAnswer }) }
}

/** Only in ALFWorld the mark stands without the blank after it. */
function readFirst(read: ReadableAnswer, environment: string, inBlocks: boolean): ParsedAnswer {
  const isHousehold = environment.startsWith('alfworld')
  const message = read.text
  const isMarked = ({ plain, end }: ActionLabel) => plain && (isHousehold || message.charAt(end) === ' ')
  const label = read.actions.find(isMarked) ?? read.actions.find(({ plain }) => !plain)
  if (label !== undefined) {
    const action = inBlocks ? uncovered(read, label.end).trim() : readRest(read, label)
    return { message, action: clipText(action, inBlocks ? longestBlocks : longestAction).trim() }
  }
  if (read.called !== null) return { message, action: read.called }
  const complaint = isHousehold
    ? "Error Input. Your input must contains 'Action: '"
    : "Invalid format. The input must contains 'Action: '"
  return { message, action: '', complaint }
}
