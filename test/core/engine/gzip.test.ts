import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decompress, wrap } from '../../../shared/core/engine/gzip.ts'

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 3000 }),
  fc.nat({ max: 80_000 }).map((length) => 'a stored line\n'.repeat(length / 14)),
)

test('every gzip reader gets back what was wrapped, whether stored or compressed', async () => {
  await fc.assert(
    fc.asyncProperty(text, async (written) => {
      const member = await wrap(written)
      expect(gunzipSync(member).toString()).toBe(written)
      expect((await decompress(member)).toString()).toBe(written)
    }),
  )
})

test('members follow one another in one stream', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 8 }), async (lines) => {
      const whole = Buffer.concat(await Promise.all(lines.map(wrap)))
      if (whole.length > 0) expect((await decompress(whole)).toString()).toBe(lines.join(''))
    }),
    { numRuns: 30 },
  )
})

test('a flipped bit in a stored text is found', async () => {
  const member = await wrap('{"segment":1}\n')
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 8 * 14 - 1 }), async (bit) => {
      const damaged = Buffer.from(member)
      const at = member.length - 8 - 14 + (bit >> 3)
      damaged[at] = (damaged[at] as number) ^ (1 << (bit & 7))
      await expect(decompress(damaged)).rejects.toThrow()
    }),
  )
})
