import type { JsonObject } from '../../../shared/core/contracts/json.ts'

// Excerpts of the JSON Schema of `POST /v1/datasets`, for the form. They are written out because the zod schema would
// bring a validator into the page. A test compares them with the contract.

const dropOrKeep = { type: 'string', enum: ['drop', 'keep'], default: 'drop' }

export const gatesSchema: JsonObject = {
  properties: {
    held_out: {
      ...dropOrKeep,
      description:
        'Rows of tasks that the environment holds out for evaluation (every split but `train`): training on them makes later evaluations worthless.',
    },
    duplicates: {
      ...dropOrKeep,
      description: 'Rows that are equal to an earlier one, character for character.',
    },
    empty_turns: { ...dropOrKeep, description: 'Rows with a turn that is empty or white space.' },
    same_action: {
      ...dropOrKeep,
      description:
        'Pairs of the kind `step-preference` whose two sides take the same action. They would teach only a style of talking about it.',
    },
    max_tokens: {
      anyOf: [{ type: 'integer', exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER }, { type: 'null' }],
      default: null,
      description: 'Rows that are longer are dropped: a trainer would cut them, often without a word.',
    },
    tokenizer: {
      type: 'string',
      enum: ['estimate', 'o200k_base', 'cl100k_base'],
      default: 'estimate',
      description: 'The token counter: OpenAI’s encodings, or an estimate from the characters.',
    },
  },
}

export const mixSchema: JsonObject = {
  properties: {
    trajectories: {
      type: 'array',
      minItems: 1,
      maxItems: 1000,
      items: { type: 'string', minLength: 1 },
      description: 'Imported conversations, by their ids. Every answer in them is learned.',
    },
    share: {
      type: 'number',
      exclusiveMinimum: 0,
      exclusiveMaximum: 1,
      default: 0.2,
      description: 'Which part of the rows of each split they make up; 0.2 is Agent-R’s.',
    },
  },
}

export const otherSchema: JsonObject = {
  properties: {
    pictures: {
      type: 'string',
      enum: ['show', 'leave_out'],
      description:
        '`show`: rows show the pictures of the prompts. `leave_out`: rows are texts alone, and the dataset has the number of pictures they lack. Default: `show` if the first episodes of a run showed pictures. The API then refuses a format or kind that cannot hold them.',
    },
    seed: {
      type: 'integer',
      minimum: 0,
      maximum: 2_147_483_647,
      default: 0,
      description: 'Decides which task goes to which split, and which rows are drawn where a kind draws.',
    },
    rows_per_file: { type: 'integer', minimum: 1, maximum: 1_000_000, default: 10_000 },
  },
}
