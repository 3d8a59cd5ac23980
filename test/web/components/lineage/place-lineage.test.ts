import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LoopLineage } from '../../../../shared/core/contracts/loop-report.ts'
import { nodeSize, placeLineage } from '../../../../web/components/lineage/lineage-section.tsx'

const kinds = ['model', 'training', 'dataset', 'run', 'trajectories', 'nodes'] as const

test('no two things of a lineage overlap, and all are within its drawing', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...kinds), { maxLength: 40 }), (named) => {
      const nodes = named.map((kind, index): LoopLineage['nodes'][number] => ({
        id: `${kind}-${index}`,
        kind,
        label: kind,
        round: null,
        facts: {},
      }))
      const placed = placeLineage({ nodes })
      for (const [index, one] of placed.nodes.entries()) {
        expect(one.x + nodeSize.width).toBeLessThanOrEqual(placed.width)
        expect(one.y + nodeSize.height).toBeLessThanOrEqual(placed.height)
        for (const other of placed.nodes.slice(index + 1)) {
          const isApart =
            Math.abs(one.x - other.x) >= nodeSize.width || Math.abs(one.y - other.y) >= nodeSize.height
          expect(isApart).toBe(true)
        }
      }
    }),
  )
})
