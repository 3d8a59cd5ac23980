import type { SimulatedCompletion } from './chat-completion.ts'

/** Characters in one chunk of a streamed answer. */
const chunkLength = 16

/** A completion as the server-sent events that `stream: true` asks for: role, text piece by piece, end, usage if asked. */
export function completionEvents(completion: SimulatedCompletion, includeUsage: boolean): string {
  const { id, created, model, system_fingerprint, usage } = completion
  const base = { id, object: 'chat.completion.chunk', created, model, system_fingerprint }
  const chunks: object[] = []
  const push = (index: number, delta: object, finish_reason: string | null) =>
    chunks.push({
      ...base,
      choices: [{ index, delta, logprobs: null, finish_reason }],
      ...(includeUsage ? { usage: null } : {}),
    })
  for (const { index, message, finish_reason } of completion.choices) {
    push(index, { role: 'assistant', content: '' }, null)
    for (let start = 0; start < message.content.length; start += chunkLength) {
      push(index, { content: message.content.slice(start, start + chunkLength) }, null)
    }
    push(index, {}, finish_reason)
  }
  if (includeUsage) chunks.push({ ...base, choices: [], usage })
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`
}
