import type { Usage } from '../../../shared/contracts/usage.ts'
import type { JournalRecord } from '../../../shared/engine/journal-record.ts'
import type { NodeEntry, OpenEntry } from '../../../shared/search/tree-entry.ts'

/** The first entry of a journal. */
export function open(answer: OpenEntry['open']['answer'] = 'best'): JournalRecord {
  const entry: OpenEntry = {
    open: {
      environment: 'textcraft',
      task: 'a',
      method: 'mcts',
      answer,
      messages: [],
      observation: [{ type: 'text', text: '' }],
      state_hash: null,
      success_threshold: 1,
    },
  }
  return { entry: entry as never }
}

/** A node below another, with a reward. */
export function node(parent: number, reward: number): JournalRecord {
  const entry: NodeEntry = {
    node: {
      parent,
      action: 'look',
      message: 'Action: look',
      observation: [{ type: 'text', text: '' }],
      reward,
      terminal: reward === 1,
      done: reward === 1,
      disaster: false,
      valid: true,
      progress: reward,
      prior: 1,
      state_hash: null,
      effect: 'step',
    },
  }
  return { entry: entry as never }
}

/** A call that was answered. */
export function call(usage: Partial<Usage> = {}): JournalRecord {
  const used = { model_calls: 1, input_tokens: 90, output_tokens: 10, cost: 0.01, ...usage }
  return { effect: 'call', request: 'request', result: null, usage: used }
}

/** An effect that takes nothing, such as a step of the environment. */
export const step: JournalRecord = { effect: 'step', request: 'request', result: null }
