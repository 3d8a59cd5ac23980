import { clipText } from '../../core/contracts/well-formed.ts'
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

export const answerStyles = ['plain', 'agent-r', 'eto'] as const

export type AnswerStyle = (typeof answerStyles)[number]

export interface ParsedAnswer {
  /**
   * The answer as the conversation keeps it, its reasoning included, without the numbering that some models add
   * ("Action 1:"). Two samples with the same message are equal.
   */
  message: string
  action: string
  complaint?: string
}

export const unparsableAnswer = 'No action could be read from this answer.'

/** No action of any environment is nearly as long: a longer one means that the model did not stop. */
const longestAction = 4000
const longestBlocks = 20_000

/**
 * Reads an answer in the form `Thought: …\nAction: …`. The label may have any case and decoration (`**Action 2:**`,
 * `### Action`). Skips reasoning between marks such as `<think>`. Removes marks around a whole action and keeps marks
 * inside.
 *
 * - `plain`: the text from the first `Observation:` after an action on is invented and does not count. Before it,
 *   the last `Action:` line is the action, and everything after that line is dropped.
 * - `agent-r`: the last `Action:` line of the whole answer is the action, and the whole answer is kept. Answers of
 *   runs without a recorded style are read this way.
 * - `eto`: the first `Action:` with all that follows it is the action, and the whole answer is kept. An answer
 *   without one has no action.
 *
 * An answer without `Action:` may have an inline tool call. Otherwise, except with `eto`, its last line counts as the
 * action, which costs a step and earns the environment's complaint. An answer of nothing but reasoning, and a call
 * that maps to no action text, earn a complaint without a step.
 *
 * If actions are blocks between triple back-ticks, a label inside a block does not count. An action that begins with
 * a block extends to the end of the last block. An answer without `Action:` has its blocks as its action.
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
  // Blocks hold any text, and so may actions whose environment is unknown.
  return inBlocks ? parsed : { ...parsed, action: evenBlanks(parsed.action) }
}

function withoutNumbers(answer: string): string {
  return answer.trim().replaceAll('Action 1:', 'Action:').replaceAll('Thought 1:', 'Thought:')
}

function withBlocks(read: ReadableAnswer): ReadableAnswer {
  const marks = coverBlocks(coverWrapper(read))
  const actions = read.actions.filter(({ word }) => marks.charAt(word) === read.marks.charAt(word))
  return { ...read, marks, actions }
}

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

/** Only in ALFWorld the mark appears without the blank after it. */
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
