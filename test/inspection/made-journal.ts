import type { Json } from '../../shared/contracts/json.ts'
import type { Message, Observation } from '../../shared/contracts/message.ts'
import type { Usage } from '../../shared/contracts/usage.ts'
import type { JournalRecord } from '../../shared/engine/journal-record.ts'
import type { NodeEntry, OpenEntry } from '../../shared/search/tree-entry.ts'

export const once: Usage = { model_calls: 1, input_tokens: 10, output_tokens: 5, cost: 0.5 }

export const text = (said: string): Observation => [{ type: 'text', text: said }]

/** Lines as a worker writes them. */
export function segment(number: number): JournalRecord {
  return { segment: number, writer: 'w', code: 'c', at: `2026-11-21T09:00:0${number}.000Z`, elapsed: number }
}

export function open(more: Partial<OpenEntry['open']> = {}): JournalRecord {
  return {
    entry: {
      open: {
        environment: 'corridor',
        task: 'goal-3',
        method: 'mcts',
        answer: 'best',
        messages: [],
        observation: text('At 0.'),
        state_hash: null,
        success_threshold: 1,
        ...more,
      },
    },
  }
}

export function node(more: Partial<NodeEntry['node']> = {}): JournalRecord {
  return {
    entry: {
      node: {
        parent: 0,
        action: 'forward',
        message: 'Action: forward',
        observation: text('At 1.'),
        reward: 0,
        terminal: false,
        done: false,
        disaster: false,
        valid: true,
        progress: 0,
        prior: 1,
        state_hash: null,
        effect: 'node/0/sample/0',
        ...more,
      },
    },
  }
}

/** A committed call of a model, with all that its request takes. */
export function call(
  effect: string,
  { role = 'policy', messages = [], answers = ['Action: forward'], n = 1 }: Partial<MadeCall> = {},
): JournalRecord[] {
  const result: Json = { choices: answers.map((content) => ({ content, finish_reason: 'stop' })) }
  const settings: Json = { role, endpoint: 'test', id: 'model', ...(n > 1 && { n }) }
  return [
    ...messages.map((value, place): JournalRecord => ({ message: `${effect} ${place}`, value })),
    {
      request: `of ${effect}`,
      value: { messages: messages.map((_, place) => `${effect} ${place}`), settings },
    },
    { effect, request: `of ${effect}`, result, usage: once },
  ]
}

interface MadeCall {
  role: string
  messages: Message[]
  answers: string[]
  n: number
}
