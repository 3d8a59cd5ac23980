import { z } from 'zod'
import {
  type AnswerCounts,
  type AnswerFault,
  type AnswerTally,
  addAnswers,
  faultOfEnding,
  noTally,
} from '../../core/contracts/answers.ts'
import type { Json } from '../../core/contracts/json.ts'
import {
  type CallFormat,
  type MessageCall,
  messageCallSchema,
  type Thinking,
  thinkingSchema,
} from '../../core/contracts/message.ts'
import { roleSchema } from '../../core/contracts/model-choice.ts'
import { parseJson } from '../../core/contracts/parse-json.ts'
import type { EffectRecord, JournalRecord, RequestRecord } from '../../core/engine/journal-record.ts'
import { givesAction } from '../answers/read-action.ts'
import { isArguments, readTextCalls } from '../answers/read-text-calls.ts'
import { writeAnswer } from '../answers/write-calls.ts'

/** An answer in a journal. Journals of earlier versions do not mark refusals. */
export interface JournalAnswer {
  content: string
  finish_reason?: string | null | undefined
  refused?: boolean | undefined
  tool_calls?: readonly MessageCall[] | undefined
  thinking?: Thinking | undefined
}

const answersSchema = z.object({
  choices: z.array(
    z.object({
      content: z.string(),
      finish_reason: z.string().nullish(),
      refused: z.boolean().optional(),
      tool_calls: z.array(messageCallSchema).optional(),
      thinking: thinkingSchema.optional(),
    }),
  ),
})

export function faultOf({ content, finish_reason, refused, tool_calls }: JournalAnswer): AnswerFault | null {
  const ending = faultOfEnding(finish_reason)
  if (refused === true && ending !== 'filtered') return 'refused'
  return ending ?? (content.trim() === '' && tool_calls === undefined ? 'empty' : null)
}

export function readJudgedAnswers(
  { result }: Pick<EffectRecord, 'result'>,
  settings: Json | undefined,
): (JournalAnswer & { fault: AnswerFault | null })[] | null {
  const choices = answersSchema.safeParse(result).data?.choices
  return (
    choices?.map((choice) => {
      const isUnparsable = isProposal(settings) && !acts(choice, settings)
      return { ...choice, fault: faultOf(choice) ?? (isUnparsable ? 'unparsable' : null) }
    }) ?? null
  )
}

export interface JudgedAnswers {
  counts: AnswerCounts
  /**
   * The agent was called, and each of its answers was empty, or cut before it named an action: there is no play to
   * score.
   */
  isUnusable: boolean
}

/**
 * Counts the answers of a journal by fault. An unparsable proposal shows in its text. For other calls the journal has
 * the number of unreadable answers; those with another fault are subtracted from it.
 */
export function judgeAnswers(records: readonly JournalRecord[]): JudgedAnswers {
  const requests = new Map<string, RequestRecord['value']['settings']>()
  const unread = countUnread(records)
  const agent = { answers: 0, unusable: 0 }
  let counts: AnswerCounts = noTally
  for (const record of records) {
    if ('request' in record && 'value' in record) requests.set(record.request, record.value.settings)
    if (!('effect' in record)) continue
    const settings = requests.get(record.request)
    const answers = readJudgedAnswers(record, settings)
    if (answers === null) continue
    const unreadHere = unread.get(record.effect) ?? 0
    const tally: AnswerTally = { ...noTally, total: answers.length }
    for (const { fault } of answers) if (fault !== null) tally[fault] += 1
    if (!isProposal(settings)) {
      const faulty = answers.filter(({ fault }) => fault !== null).length
      tally.unparsable = Math.min(Math.max(0, unreadHere - faulty), answers.length - faulty)
    }
    const role = roleSchema.safeParse(roleIn(settings)).data
    counts = addAnswers(counts, role === undefined ? tally : { ...tally, by_role: { [role]: tally } })
    if (role !== undefined) continue
    agent.answers += answers.length
    agent.unusable += answers.filter((answer) =>
      answer.fault === 'cut'
        ? writeAnswer(answer.content, answer.tool_calls).trim() === '' ||
          (isProposal(settings) ? !actsWhole(answer, settings) : unreadHere > 0)
        : answer.fault === 'empty',
    ).length
  }
  return { counts, isUnusable: agent.answers > 0 && agent.unusable === agent.answers }
}

function countUnread(records: readonly JournalRecord[]): Map<string, number> {
  const unread = new Map<string, number>()
  for (const record of records) {
    if (!('entry' in record)) continue
    const { data } = unreadSchema.safeParse(record.entry.unread)
    if (data) unread.set(data.effect, (unread.get(data.effect) ?? 0) + data.answers)
  }
  return unread
}

const unreadSchema = z.object({ effect: z.string(), answers: z.int() })

/** Recognizes calls that asked the policy for an action: only those record how much of the conversation was cut. */
function isProposal(settings: Json | undefined): boolean {
  return isObject(settings) && 'cut_pairs' in settings
}

export function callFormatOf(
  { content, tool_calls }: JournalAnswer,
  settings: Json | undefined,
): CallFormat | null {
  if (!isObject(settings) || settings.tools === undefined) return null
  return tool_calls === undefined ? readTextCalls(content).format : 'native'
}

function acts({ content, tool_calls }: JournalAnswer, settings: Json | undefined): boolean {
  if (!isObject(settings) || settings.tools === undefined) return givesAction(content)
  return tool_calls !== undefined || readTextCalls(content).calls.length > 0
}

/** True if an answer that was cut names an action. A call that was cut in its arguments does not. */
function actsWhole(answer: JournalAnswer, settings: Json | undefined): boolean {
  if (!isObject(settings) || settings.tools === undefined) return acts(answer, settings)
  const calls = answer.tool_calls?.map((call) => call.function) ?? readTextCalls(answer.content).calls
  return calls.some(({ name, arguments: given }) => name !== '' && isWhole(given))
}

function isWhole(given: string | object): boolean {
  return isArguments(typeof given === 'string' ? parseJson(given) : given)
}

function roleIn(settings: Json | undefined): Json | undefined {
  return isObject(settings) ? settings.role : undefined
}

function isObject(value: Json | undefined): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
