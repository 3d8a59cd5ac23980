import { z } from 'zod'
import type { Json } from '../../core/contracts/json.ts'
import type { Usage } from '../../core/contracts/usage.ts'
import type { NodeEntry } from '../../play/search/tree-entry.ts'
import type { EndedSpan } from './span.ts'

type Attributes = EndedSpan['attributes']

const callSchema = z.looseObject({
  role: z.string().optional(),
  endpoint: z.string(),
  id: z.string(),
  temperature: z.number().optional(),
  top_p: z.number().optional(),
  max_tokens: z.number().optional(),
  seed: z.number().optional(),
  n: z.number().optional(),
  stop: z.array(z.string()).optional(),
})

const answersSchema = z.looseObject({
  choices: z.array(z.looseObject({ finish_reason: z.string().nullish() })),
})

/**
 * Attributes of a model call's span, by the names of the GenAI conventions; null for an effect that asked no model.
 */
export function describeCall(
  settings: Json,
  result: Json,
  usage: Usage | undefined,
): { name: string; attributes: Attributes } | null {
  const call = callSchema.safeParse(settings).data
  if (call === undefined) return null
  const operation = call.role === undefined ? 'embeddings' : 'chat'
  const reasons = answersSchema
    .safeParse(result)
    .data?.choices.flatMap(({ finish_reason }) => finish_reason ?? [])
  return {
    name: `${operation} ${call.id}`,
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': call.endpoint,
      'gen_ai.request.model': call.id,
      ...given('gen_ai.request.temperature', call.temperature),
      ...given('gen_ai.request.top_p', call.top_p),
      ...given('gen_ai.request.max_tokens', call.max_tokens),
      ...given('gen_ai.request.seed', call.seed),
      ...given('gen_ai.request.choice.count', call.n),
      ...given('gen_ai.request.stop_sequences', call.stop),
      ...given('gen_ai.response.finish_reasons', reasons),
      ...given('espalier.role', call.role),
      ...describeUsage(usage),
    },
  }
}

export function describeStep(node: NodeEntry['node'], environment: string): Attributes {
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': environment,
    'gen_ai.tool.type': 'function',
    'espalier.step.parent': node.parent,
    'espalier.step.reward': node.reward,
    'espalier.step.done': node.done,
    'espalier.step.valid': node.valid,
  }
}

export function describeUsage(usage: Omit<Usage, 'model_calls'> | undefined): Attributes {
  if (usage === undefined) return {}
  return {
    'gen_ai.usage.input_tokens': usage.input_tokens,
    'gen_ai.usage.output_tokens': usage.output_tokens,
    ...given('gen_ai.usage.cache_read.input_tokens', usage.cached_tokens),
    ...given('gen_ai.usage.reasoning.output_tokens', usage.reasoning_tokens),
    ...given('espalier.usage.cost', usage.cost ?? undefined),
  }
}

function given<Value extends Attributes[string]>(name: string, value: Value | undefined): Attributes {
  return value === undefined ? {} : { [name]: value }
}
