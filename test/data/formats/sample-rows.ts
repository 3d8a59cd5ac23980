import { type DatasetKindId, datasetKindSchema } from '../../../shared/core/contracts/dataset.ts'
import type {
  ConversationRow,
  DatasetRow,
  RowOf,
  WeightedMessage,
} from '../../../shared/core/contracts/dataset-row.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { Message } from '../../../shared/core/contracts/message.ts'
import { findFormat } from '../../../shared/data/formats/formats.ts'
import type { FormatFacts, RowFacts } from '../../../shared/data/formats/trainer-format.ts'

export const system: Message = { role: 'system', content: 'You craft items.' }
export const sees = (content: string): Message => ({ role: 'user', content })
export const says = (content: string): Message => ({ role: 'assistant', content })
/** A turn of the model that counts in the loss, or does not. */
export const weighs = (content: string, weight: 0 | 1): WeightedMessage => ({ ...says(content), weight })

const prompt = [system, sees('Goal: a stick.')]

export const talk = (...messages: WeightedMessage[]): ConversationRow => ({ type: 'conversation', messages })

/** A row of every kind, each as that kind makes them. */
export const samples = {
  sft: talk(...prompt, weighs('get log', 1), sees('Got log.'), weighs('craft stick', 1)),
  preference: {
    type: 'preference',
    prompt,
    chosen: [says('get log'), sees('Got log.'), says('craft stick')],
    rejected: [says('look'), sees('A log.'), says('give up')],
  },
  'step-preference': {
    type: 'preference',
    prompt: [...prompt, says('get log'), sees('Got log.')],
    chosen: [says('craft stick')],
    rejected: [says('drop log')],
  },
  revision: talk(
    ...prompt,
    weighs('look', 0),
    sees('A log.'),
    weighs('That was no use.', 1),
    sees('ok.'),
    weighs('get log', 1),
  ),
  exploration: talk(...prompt, weighs('look', 0), sees('A log.'), weighs('get log', 1)),
  unpaired: { type: 'unpaired', prompt, completion: [says('get log')], label: true },
  'process-reward': {
    type: 'process',
    prompt,
    completions: ['get log', 'Got log.\n\ncraft stick'],
    labels: [true, false],
    values: [0.75, 0.25],
  },
  prompts: { type: 'prompt', prompt, reference: { task: 'stick', seed: 0 } },
  rollouts: {
    type: 'rollout',
    group: 'textcraft/stick',
    members: 4,
    part: 0,
    parts: 1,
    prompt_ids: [1, 5, 6],
    completion_ids: [7, 8, 9, 7],
    completion_mask: [1, 1, 0, 1],
    logprobs: [-0.5, -1, null, -0.25],
    reward: 1,
    advantages: [0.5, 0.5, 0, 0.5],
    versions: ['w1'],
    temperature: 1,
  },
  'rollout-trees': {
    type: 'rollout-tree',
    group: 'textcraft/stick',
    members: 4,
    segments: [
      { parent: null, ids: [1, 5, 6], learned: false, logprobs: [] },
      { parent: 0, ids: [7, 8], learned: true, logprobs: [-0.5, null] },
      { parent: 0, ids: [8, 8], learned: true, logprobs: [-0.5, -2] },
    ],
    branches: [
      { segment: 1, part: 0, parts: 1, reward: 1, advantages: [0.5] },
      { segment: 2, part: 0, parts: 1, reward: 0, advantages: [-0.5] },
    ],
    flat_tokens: 10,
    versions: ['w1'],
    temperature: null,
  },
} as const satisfies Record<DatasetKindId, DatasetRow>

/** The kinds whose rows are texts. */
export const textKinds = datasetKindSchema.options.filter(
  (kind) => kind !== 'rollouts' && kind !== 'rollout-trees',
)

export const rowFacts = (kind: DatasetKindId, rest: Partial<RowFacts> = {}): RowFacts => ({
  kind,
  environment: 'textcraft',
  task: 'textcraft-0042',
  row: 0,
  reward: 1,
  other_reward: null,
  ...rest,
})

/** The row as the format writes it, read back from its JSON. */
export function write(
  format: string,
  kind: DatasetKindId,
  row: DatasetRow = samples[kind] as DatasetRow,
  rest: Partial<RowFacts> = {},
): JsonObject {
  return JSON.parse(JSON.stringify(findFormat(format).write(row, rowFacts(kind, rest))))
}

export const formatFacts = (kind: DatasetKindId, rest: Partial<FormatFacts> = {}): FormatFacts => ({
  kind,
  title: 'Sticks and stones',
  files: { train: ['data-00001.jsonl.gz'] },
  rows: 1,
  ...rest,
})

/** A preference row with the sides as given. */
export const pairOf = (chosen: Message[], rejected: Message[]): RowOf<'preference'> => ({
  type: 'preference',
  prompt,
  chosen,
  rejected,
})
