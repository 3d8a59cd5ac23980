import { z } from 'zod'
import type { Json } from '../../core/contracts/json.ts'
import type { PromptMessage } from '../../core/contracts/message.ts'
import type { ModelCall } from '../../core/contracts/node-detail.ts'
import { parseJson } from '../../core/contracts/parse-json.ts'
import type { EffectRecord, JournalRecord, RequestRecord } from '../../core/engine/journal-record.ts'
import { readTextCalls } from '../../play/answers/read-text-calls.ts'
import { writeAnswer } from '../../play/answers/write-calls.ts'
import { callFormatOf, type JournalAnswer, readJudgedAnswers } from '../../play/search/answer-faults.ts'

/** Of calls of models; one that names no role turned a text into a vector. */
const settingsSchema = z.object({
  role: z.string().optional(),
  endpoint: z.string().optional(),
  id: z.string().optional(),
  n: z.int().optional(),
})

export interface CommittedCall {
  key: string
  asked: string
  wanted: number
  answers: string[]
  /** The answers of a chat as they came; null if the model answered with a number or a vector. */
  given: readonly JournalAnswer[] | null
  usage: ModelCall['usage']
  at: string
  elapsed: number
  prompt: readonly string[]
  show(): ModelCall
}

export function readCalls(records: readonly JournalRecord[]): CommittedCall[] {
  const messages = new Map<string, PromptMessage>()
  const requests = new Map<string, RequestRecord['value']>()
  const calls: CommittedCall[] = []
  let segment: CallMoment = { at: '', elapsed: 0 }
  for (const record of records) {
    if ('segment' in record) segment = record
    else if ('message' in record) messages.set(record.message, record.value)
    else if ('effect' in record) {
      const call = toCall(record, requests.get(record.request), messages, segment)
      if (call) calls.push(call)
    } else if ('request' in record) requests.set(record.request, record.value)
  }
  return calls
}

type CallMoment = Pick<CommittedCall, 'at' | 'elapsed'>

function toCall(
  { effect: key, result, usage: used }: EffectRecord,
  request: RequestRecord['value'] | undefined,
  messages: ReadonlyMap<string, PromptMessage>,
  { at, elapsed }: CallMoment,
): CommittedCall | null {
  const usage = used ?? null
  const settings = settingsSchema.safeParse(request?.settings).data ?? {}
  const { role, endpoint, id, n: wanted = 1 } = settings
  if (role === undefined && usage === null) return null
  const asked = role ?? 'embedding'
  const given = readJudgedAnswers({ result }, request?.settings)
  const judged = given ?? []
  // A trained model answers with a number, one that embeds with nothing to read.
  const answers =
    typeof result === 'number'
      ? [String(result)]
      : judged.map(({ content, tool_calls }) => writeAnswer(content, tool_calls))
  return {
    key,
    asked,
    wanted,
    answers,
    given,
    usage,
    at,
    elapsed,
    prompt: request?.messages ?? [],
    show: () => ({
      key,
      asked,
      model: endpoint === undefined || id === undefined ? null : `${endpoint}/${id}`,
      messages: (request?.messages ?? []).flatMap((digest) => messages.get(digest) ?? []),
      answers,
      endings: judged.map((answer) => {
        const { fault, finish_reason, thinking } = answer
        const call_format = callFormatOf(answer, request?.settings)
        const calls = call_format === null ? [] : calledTools(answer)
        return {
          finish_reason: finish_reason ?? null,
          fault,
          ...(call_format !== null && { call_format }),
          ...(thinking && { thinking: thinking.text }),
          ...(calls.length > 0 && { calls }),
        }
      }),
      usage,
    }),
  }
}

function calledTools({ content, tool_calls }: JournalAnswer): { name: string; arguments: Json }[] {
  const calls = tool_calls?.map((call) => call.function) ?? readTextCalls(content).calls
  return calls.map(({ name, arguments: given }) => {
    const value = typeof given === 'string' ? (parseJson(given) ?? given) : given
    return { name, arguments: value as Json }
  })
}
