import type { ChatRequest } from '../../../shared/play/models/chat-model.ts'

export function chatRequest(changes: Partial<ChatRequest> = {}): ChatRequest {
  return {
    model: 'gpt-test',
    messages: [{ role: 'user', content: 'Say hello.' }],
    temperature: 1,
    top_p: 1,
    max_tokens: 100,
    seed: 7,
    ...changes,
  }
}

/** A chat completion on the wire. */
export function completion(
  content: string | null,
  usage: object | null = { prompt_tokens: 9, completion_tokens: 3 },
) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model: 'gpt-test',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    ...(usage === null ? {} : { usage }),
  }
}

/** A chat completion of several choices on the wire, which took 9 tokens and 3 for each of them. */
export function completionOf(contents: readonly string[]) {
  return {
    ...completion(''),
    choices: contents.map((content, index) => ({
      index,
      message: { role: 'assistant', content },
      finish_reason: 'stop',
    })),
    usage: { prompt_tokens: 9, completion_tokens: 3 * contents.length },
  }
}
