import { expect, test } from 'vitest'
import { parseLatency, parseSeed, parseShare } from '../../cli/parse-setting.ts'
import { simulatedEndpointSchema } from '../../shared/core/contracts/endpoint-configuration.ts'

test.each([
  ['skill', parseShare, ['0', '1', '-0.01', '1.01']],
  ['latency', parseLatency, ['0', '600000', '-1', '600001']],
  ['latency_spread', parseLatency, ['0', '600000', '-1', '600001']],
  ['seed', parseSeed, ['0', '2147483647', '-1', '0.5', '2147483648']],
] as const)('the flags for the simulated %s take what its endpoint takes', (field, parse, texts) => {
  for (const text of texts) {
    const { success } = simulatedEndpointSchema.safeParse({ kind: 'simulated', [field]: Number(text) })
    if (success) expect(parse(text)).toBe(Number(text))
    else expect(() => parse(text)).toThrow(/^It takes/)
  }
})
