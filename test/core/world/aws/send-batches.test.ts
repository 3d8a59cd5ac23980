import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inBatches } from '../../../../shared/core/world/aws/send-batches.ts'

test('batches hold every message once, in order, within the limits, and none could have gone with the one before', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 1024 * 1024 }), { maxLength: 60 })
  fc.assert(
    fc.property(sizes, (bytes) => {
      const entries = bytes.map((size, index) => ({ MessageBody: String(index), bytes: size }))
      const batches = inBatches(entries)
      expect(batches.flat()).toEqual(entries)
      const weights = batches.map((batch) => batch.reduce((sum, entry) => sum + entry.bytes, 0))
      for (const [index, batch] of batches.entries()) {
        expect(batch.length).toBeLessThanOrEqual(10)
        expect(weights[index]).toBeLessThanOrEqual(1024 * 1024)
        const next = batches[index + 1]?.[0]
        if (next && batch.length < 10) expect((weights[index] ?? 0) + next.bytes).toBeGreaterThan(1024 * 1024)
      }
    }),
  )
})
