import type { EpisodeCalls } from '../../../shared/core/contracts/episode-calls.ts'
import { exampleEnvironment } from '../../../shared/core/contracts/example-environment.ts'
import type { Growth } from '../../../shared/core/contracts/growth.ts'
import type { JournalDigest } from '../../../shared/core/contracts/journal-digest.ts'
import type { NoteUses } from '../../../shared/core/contracts/memory.ts'
import type { ModelCall, NodeDetail } from '../../../shared/core/contracts/node-detail.ts'
import type { EpisodeTokens } from '../../../shared/core/contracts/token-record.ts'
import type { Waterfall } from '../../../shared/core/contracts/waterfall.ts'
import { memoryExample, noteExample } from './learned-examples.ts'

const { run } = memoryExample
const episode = 'ep-0000007'
const spent = { model_calls: 1, input_tokens: 812, output_tokens: 31, cost: 0.0003 }

export const growthExample: Growth = {
  object: 'growth',
  run,
  episode,
  answer: 'committed',
  steps: [
    {
      at: '2026-11-21T09:00:02.140Z',
      elapsed: 2.113,
      usage: spent,
      events: [
        { type: 'node', node: 1 },
        { type: 'value', node: 1, value: 0.7 },
        { type: 'commit', node: 1 },
      ],
    },
  ],
}

export const waterfallExample: Waterfall = {
  object: 'waterfall',
  run,
  episode,
  began_at: '2026-11-21T09:00:00.000Z',
  seconds: 2.14,
  working_seconds: 2.113,
  workers: 1,
  commits: 1,
  untimed_commits: 0,
  lanes: [
    { kind: 'setup', branch: null, slots: 1 },
    { kind: 'model', branch: null, slots: 1 },
  ],
  spans: [
    { lane: 0, slot: 0, kind: 'setup', key: null, node: null, from: 0, to: 0.027, exact: true },
    { lane: 1, slot: 0, kind: 'model', key: 'node/0/sample/0', node: 0, from: 0.027, to: 2.14, exact: true },
  ],
  slowest: [1],
  sums: { queue: 0, setup: 0.027, model: 2.113, environment: 0, wait: 0, program: 0, commit: 0 },
}

export const journalDigestExample: JournalDigest = {
  object: 'journal_digest',
  run,
  episode,
  records: 42,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
}

const proposal: ModelCall = {
  key: 'node/0/plan/0/proposals',
  asked: 'policy',
  model: 'openai/gpt-5-mini',
  messages: [
    { role: 'system', content: 'You craft items in Minecraft.' },
    { role: 'user', content: 'Goal: craft white bed.' },
  ],
  answers: ['Thought: A bed takes wool.\nAction: get 3 white wool'],
  endings: [{ finish_reason: 'stop', fault: null }],
  usage: spent,
}

const verdicts: ModelCall = {
  key: 'node/1/value/verdicts',
  asked: 'value',
  model: 'openai/gpt-5-mini',
  messages: [{ role: 'user', content: 'How far has the agent come?' }],
  answers: ['Thoughts: The wool is there.\nStatus code: C', 'It is hard to say.'],
  endings: [
    { finish_reason: 'stop', fault: null },
    { finish_reason: 'stop', fault: null },
  ],
  usage: spent,
}

const { messages, ...asked } = proposal

export const callsExample: EpisodeCalls = {
  object: 'episode_calls',
  run,
  episode,
  messages,
  calls: [{ ...asked, at: '2026-11-21T09:00:02.140Z', elapsed: 2.113, node: 0, prompt: [0, 1] }],
}

export const tokensExample: EpisodeTokens = {
  object: 'episode_tokens',
  run,
  episode,
  calls: [
    {
      call: 'node/0/sample/0',
      model: 'lab/Qwen/Qwen3-8B',
      version: 'step-120',
      source: 'sglang',
      prompting: 'chat',
      sampler: { temperature: 1, top_p: 1, max_tokens: 512, seed: 7, n: 1 },
      prompt_ids: [151644, 872, 198],
      answers: [{ ids: [2512, 25, 151645], logprobs: [-0.21, -0.003, null] }],
      warnings: ['1 of 3 log-probabilities are no negative numbers, so they count as unknown.'],
      asked: 'policy',
      node: 0,
      verdict: { kind: 'continuous' },
    },
  ],
  unrecorded: 0,
}

export const nodeExample: NodeDetail = {
  object: 'node',
  run,
  episode,
  index: 1,
  children: [4],
  node: {
    parent: 0,
    depth: 1,
    action: 'get 3 white wool',
    message: 'Thought: A bed takes wool.\nAction: get 3 white wool',
    reward: 0,
    terminal: false,
    done: false,
    disaster: false,
    valid: true,
    progress: 0,
    visits: 2,
    value: 0.5,
    prior: 0.6,
    state_hash: 'qJ0v0b1m2n3o4p5q',
  },
  observation: [{ type: 'text', text: 'Got 3 white wool' }],
  proposal,
  expansions: [],
  judgement: {
    votes: [
      { answer: 'Thoughts: The wool is there.\nStatus code: C', value: 0.5 },
      { answer: 'It is hard to say.', value: null },
    ],
    value: 0.5,
    debate: null,
    checks: null,
    calls: [verdicts],
  },
  notes: [
    {
      id: noteExample.id,
      side: noteExample.side,
      run,
      episode: noteExample.episode,
      task: noteExample.task,
      note: noteExample.note,
      similarity: 0.41,
    },
  ],
  others: [],
  usage: spent,
  state: { inventory: { 'white wool': 3 } },
  state_changes: [{ type: 'added', path: ['inventory', 'white wool'], after: 3 }],
  state_note: null,
}

export const usesExample: NoteUses = {
  object: 'note_uses',
  memory: memoryExample.id,
  run,
  episodes: { total: 20, read: 20 },
  uses: [
    {
      note: noteExample.id,
      count: 1,
      places: [{ episode, task: `${exampleEnvironment}-31`, node: 1 }],
    },
  ],
}
