import type { Message } from '../../core/contracts/message.ts'
import { BadRowError } from './bad-row-error.ts'

export interface TurnRole {
  role: Message['role']
  holds: 'text' | 'call' | 'result'
}

/** Every name of a role in trainers' files, in lower case and with `_` for spaces and hyphens. */
const names: Readonly<Record<Message['role'], Readonly<Record<TurnRole['holds'], readonly string[]>>>> = {
  system: { text: ['system', 'developer', 'system_prompt', 'instructions'], call: [], result: [] },
  user: {
    text: ['user', 'human', 'prompter', 'environment', 'env'],
    call: [],
    result: [
      'observation',
      'tool',
      'function',
      'function_response',
      'function_output',
      'function_result',
      'function_call_output',
      'tool_response',
      'tool_result',
      'tool_output',
      'ipython',
      'result',
    ],
  },
  assistant: {
    text: [
      'assistant',
      'gpt',
      'model',
      'ai',
      'agent',
      'bot',
      'chatbot',
      'chatgpt',
      'bing',
      'bard',
      'claude',
      'gemini',
      'llm',
    ],
    call: ['function_call', 'tool_call', 'tool_calls'],
    result: [],
  },
}

/** Models that files name as the speaker, in any version: `gpt-4o`, `claude_3_opus`. */
const family =
  /^(?:chat_?)?(?:gpt|claude|gemini|palm|llama|mistral|mixtral|qwen|deepseek|grok|glm)(?:[_.\d].*)?$/

const byName: ReadonlyMap<string, TurnRole> = new Map(
  Object.entries(names).flatMap(([role, kinds]) =>
    Object.entries(kinds).flatMap(([holds, list]) =>
      list.map((name) => [name, { role, holds } as TurnRole] as const),
    ),
  ),
)

/**
 * Maps a role's name to ours; case, spaces and hyphens do not matter.
 *
 * @throws BadRowError for an unknown role
 */
export function roleOf(name: string, field: string): TurnRole {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
  const found = byName.get(plain)
  if (found !== undefined) return found
  if (family.test(plain)) return { role: 'assistant', holds: 'text' }
  throw new BadRowError(
    field,
    `unknown role "${name.slice(0, 60).toWellFormed()}". Known: ${[...byName.keys()].join(', ')}.`,
  )
}
