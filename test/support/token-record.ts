import type { TokenRecord } from '../../shared/core/contracts/token-record.ts'

export function tokenRecord(call: string, changes: Partial<TokenRecord> = {}): TokenRecord {
  return {
    call,
    model: 'lab/model',
    version: null,
    source: 'vllm',
    prompting: 'chat',
    sampler: { temperature: 1 },
    prompt_ids: [1, 2, 3],
    answers: [{ ids: [4, 5], logprobs: [-0.5, null] }],
    warnings: [],
    ...changes,
  }
}
