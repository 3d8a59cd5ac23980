import type { Json } from '../../shared/core/contracts/json.ts'
import type { Message, Observation } from '../../shared/core/contracts/message.ts'
import type { Usage } from '../../shared/core/contracts/usage.ts'
import type { JournalRecord } from '../../shared/core/engine/journal-record.ts'
import type { NodeEntry, OpenEntry } from '../../shared/play/search/tree-entry.ts'

/** What a call takes unless a test says otherwise. */
export const once: Usage = { model_calls: 1, input_tokens: 10, output_tokens: 5, cost: 0.5 }

export const text = (content: string): Observation => [{ type: 'text', text: content }]

/** The first entry of a tree, about a task of the corridor. */
export function openEntry(more: Partial<OpenEntry['open']> = {}): OpenEntry {
  return {
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
  }
}

export function nodeEntry(more: Partial<NodeEntry['node']> = {}): NodeEntry {
  return {
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
  }
}

/** An entry of a tree as a journal holds it. */
export const record = (entry: OpenEntry | NodeEntry): JournalRecord => ({ entry: entry as never })

export const open = (more: Partial<OpenEntry['open']> = {}) => record(openEntry(more))
export const node = (more: Partial<NodeEntry['node']> = {}) => record(nodeEntry(more))

/** A node below another, with a reward, at which 1 ends the episode. */
export function rewarded(parent: number, reward: number): JournalRecord {
  return node({ parent, reward, progress: reward, terminal: reward === 1, done: reward === 1 })
}

export function segment(number: number): JournalRecord {
  return { segment: number, writer: 'w', code: 'c', at: `2026-11-21T09:00:0${number}.000Z`, elapsed: number }
}

/** An effect that took this of a model, whose request and answer are not looked at. */
export function used(usage: Partial<Usage> = {}, effect = 'call'): JournalRecord {
  const whole = { model_calls: 1, input_tokens: 90, output_tokens: 10, cost: 0.01, ...usage }
  return { effect, request: 'request', result: null, usage: whole }
}

export const step: JournalRecord = { effect: 'step', request: 'request', result: null }

/** A committed call of a model, with all that its request takes. */
export function call(
  effect: string,
  {
    role = 'policy',
    messages = [],
    answers = ['Action: forward'],
    n = 1,
    tools,
    choices,
  }: Partial<MadeCall> = {},
): JournalRecord[] {
  const result: Json = {
    choices: choices ?? answers.map((content) => ({ content, finish_reason: 'stop' })),
  }
  const settings: Json = { role, endpoint: 'test', id: 'model', ...(n > 1 && { n }), ...(tools && { tools }) }
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
  /** In place of `answers`, as the endpoint gave them. */
  choices: Json[]
  tools: string
  n: number
}
