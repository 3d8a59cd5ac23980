import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitTranscript } from '../../../../shared/play/methods/prompts/fit-transcript.ts'
import { estimateTokens } from '../../../../shared/play/models/estimate-tokens.ts'
import { renderTranscript } from '../../../../shared/play/search/conversation.ts'
import type { SearchNode } from '../../../../shared/play/search/tree.ts'

function pathOf(lengths: readonly number[]): SearchNode[] {
  return lengths.map(
    (length, index) =>
      ({
        index,
        message: `m${index}`,
        observation: [{ type: 'text', text: 'x'.repeat(length) }],
      }) as unknown as SearchNode,
  )
}

test('as few of the oldest turns as needed are left out, and the last one never', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(400), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 20, max: 2000 }),
      (lengths, most) => {
        const path = pathOf(lengths)
        const text = fitTranscript(path, most)
        const all = Array.from({ length: Math.max(1, path.length - 1) }, (_, leftOut) =>
          renderTranscript(path, leftOut),
        )
        const fitting = all.find((candidate) => estimateTokens(candidate) <= most)
        expect(text).toBe(fitting ?? all.at(-1))
      },
    ),
  )
})
