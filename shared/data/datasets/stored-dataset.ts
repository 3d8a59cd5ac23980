import { type Dataset, datasetSchema } from '../../core/contracts/dataset.ts'
import type { Json, JsonObject } from '../../core/contracts/json.ts'
import { orderRequest } from './order-request.ts'

export function readStoredDataset(stored: JsonObject): Dataset {
  const { request, ...rest } = stored
  const dataset = datasetSchema.parse({
    ...earlier(rest),
    ...rest,
    request: readRequest(request as JsonObject),
  })
  return { ...dataset, request: orderRequest(dataset.request) }
}

function earlier({ status }: JsonObject): JsonObject {
  const phase = status === 'succeeded' ? 'done' : 'planning'
  return {
    progress: { phase, parts: 0, parts_done: 0 },
    annotation_run: null,
    splits: {},
    gates: {},
    tokens: null,
    warnings: [],
  }
}

/** Early requests named the only format differently, held a kind's parameter themselves, and had no gates. */
function readRequest(request: JsonObject): Json {
  if (request.format !== 'openai-chat') return request
  const { min_reward, ...rest } = request
  return {
    ...rest,
    format: 'openai',
    parameters: min_reward === undefined ? {} : { min_reward },
    gates: { duplicates: 'keep', held_out: 'keep', empty_turns: 'keep', same_action: 'keep' },
  }
}
