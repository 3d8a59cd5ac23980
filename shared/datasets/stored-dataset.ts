import { type Dataset, datasetSchema } from '../contracts/dataset.ts'
import type { Json, JsonObject } from '../contracts/json.ts'
import { orderRequest } from './order-request.ts'

/** A dataset as the ledger or a manifest holds it, also one that was stored before there was more than one kind. */
export function readStoredDataset(stored: JsonObject): Dataset {
  const { request, ...rest } = stored
  const dataset = datasetSchema.parse({
    ...earlier(rest),
    ...rest,
    request: readRequest(request as JsonObject),
  })
  return { ...dataset, request: orderRequest(dataset.request) }
}

/** What was not kept of datasets at first. */
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

/** Requests once named the only format otherwise, held what is now a parameter of the kind, and knew no gates. */
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
