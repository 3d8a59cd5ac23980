import { EspalierError } from '../../../core/contracts/errors.ts'
import type { PromptMessage } from '../../../core/contracts/message.ts'
import type { JournalRecord, RequestRecord } from '../../../core/engine/journal-record.ts'
import type { Annotator } from '../annotator.ts'

export function askAgain(call: string): Annotator {
  return {
    id: 'ask-again',
    async annotate(scope, attempt) {
      await scope.ask({ key: 'again', messages: findPrompt(await attempt.journal(), call) })
    },
  }
}

/** @throws EspalierError `not_found` if no call has the key; `not_supported` if it offered tools, or shows no prompt */
export function findPrompt(records: readonly JournalRecord[], call: string): PromptMessage[] {
  const asked = records.find((record) => 'effect' in record && record.effect === call)
  const digest = asked !== undefined && 'effect' in asked ? asked.request : null
  const request = records.find(
    (record): record is RequestRecord =>
      'request' in record && 'value' in record && record.request === digest,
  )
  if (request === undefined)
    throw new EspalierError('not_found', `There is no call "${call}".`, { param: 'call' })
  const { messages = [], settings } = request.value
  if (messages.length === 0) throw notAsked(call, 'has no prompt of messages')
  if (typeof settings === 'object' && settings !== null && 'tools' in settings)
    throw notAsked(call, 'offered tools, which its record names only by a digest')
  const known = new Map(
    records.flatMap((record) => ('message' in record ? [[record.message, record.value]] : [])),
  )
  return messages.flatMap((each) => known.get(each) ?? [])
}

function notAsked(call: string, reason: string): EspalierError {
  return new EspalierError('not_supported', `The call "${call}" ${reason}: it cannot be asked again.`, {
    param: 'call',
  })
}
