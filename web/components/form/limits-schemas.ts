import type { JsonObject } from '../../../shared/core/contracts/json.ts'

// Excerpts of the JSON Schema of limits, for forms. They are written out because the zod schema would bring a
// validator into the page. A test compares them with the contract.

const count = { type: 'integer', exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER }
const seconds = { type: 'number', exclusiveMinimum: 0 }
const dollars = { type: 'number', minimum: 1e-9, maximum: 1_000_000, description: 'US dollars.' }

export const runLimitsSchema: JsonObject = {
  properties: {
    cost: dollars,
    tokens: { ...count, description: 'Input and output tokens together.' },
    time: { ...seconds, description: 'Seconds of running, pauses left out.' },
  },
}

export const episodeLimitsSchema: JsonObject = {
  properties: {
    steps: { ...count, description: 'Environment steps, over the whole tree.' },
    turns: { ...count, description: 'Model calls.' },
    tokens: { ...count, description: 'Input and output tokens together.' },
    cost: dollars,
    time: { ...seconds, description: 'Seconds of working time; downtime and queueing left out.' },
  },
}

export const workLimitsSchema: JsonObject = {
  properties: {
    cost: dollars,
    time: { ...seconds, description: 'Seconds of work.' },
  },
}
