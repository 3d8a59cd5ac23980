import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { taskStatesOf } from '../../../functions/wiring/environment-facts.ts'
import { type Growth, growthSchema } from '../../../shared/core/contracts/growth.ts'
import { type NodeDetail, nodeDetailSchema } from '../../../shared/core/contracts/node-detail.ts'
import type { RunRequest } from '../../../shared/core/contracts/run.ts'
import type { Tree } from '../../../shared/core/contracts/tree.ts'
import { addUsage, noUsage } from '../../../shared/core/contracts/usage.ts'
import type { JournalRecord } from '../../../shared/core/engine/journal-record.ts'
import type { Inspection } from '../../../shared/insight/inspection/inspection.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { createHashModel } from '../../support/hash-model.ts'
import { createHashModels } from '../../support/hash-models.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { journalRecords, type PlayOnceOptions, playOnce, treeOf } from '../../support/play-once.ts'
import { prefixedObjects } from '../../support/prefixed-objects.ts'
import { randomMethods, randomRun, someMemories } from '../../support/random-methods.ts'
import { onlyEnvironment } from '../../support/test-environment.ts'
import { inspectJournal } from './inspect-journal.ts'

describe('whatever an episode did, its journal describes every node', () => {
  test.each(Object.entries(randomMethods))('%s', async (_name, method) => {
    const world = await openTestWorld()
    let played = 0
    await fc.assert(
      fc.asyncProperty(randomRun(method), fc.nat(), fc.nat(), async (chosen, seed, cut) => {
        played += 1
        const environment = createHashEnvironment(seed, { depth: 3 })
        const options: PlayOnceOptions = {
          ...chosen,
          world: { ...world, objects: prefixedObjects(world.objects, `${played}/`) },
          environment,
          model: createHashModel(),
          models: createHashModels(),
          memories: someMemories,
        }
        expect((await playOnce(options)).outcome.type).toBe('ended')
        const records = await journalRecords(options)
        const open = (some: readonly JournalRecord[]) =>
          inspectJournal({
            records: some,
            request: { method: chosen.method as RunRequest['method'], environment: environment.id },
            statesOf: taskStatesOf(onlyEnvironment(environment)),
          })

        const inspection = open(records)
        const tree = await treeOf(options)
        const growth = growthSchema.parse(await inspection.growth('run', 'ep-0000000'))
        const details = await readAll(inspection, tree.nodes.length)
        expect(fold(growth, tree)).toEqual(tree.nodes.map(({ visits, value }) => ({ visits, value })))
        checkDetails(details, tree, records)
        const backed = backedUp(growth)
        for (const { index, judgement } of details) {
          if (judgement) expect(judgement.value).toBe(backed.get(index))
        }

        // While it is being played there is less of it: up to any record that is the last of its commit.
        const ends = records.flatMap((record, place) => ('segment' in record && place > 0 ? [place] : []))
        const part = records.slice(0, ends[cut % Math.max(1, ends.length)] ?? records.length)
        const nodes = part.filter((record) => 'entry' in record && 'node' in record.entry).length
        const live = await readAll(open(part), nodes + 1)
        expect(sum(live)).toEqual(usageOf(part))
      }),
      { numRuns: 10 },
    )
  })
})

async function readAll(inspection: Inspection, count: number): Promise<NodeDetail[]> {
  const indices = Array.from({ length: count }, (_, index) => index)
  const read = indices.map((index) => inspection.node('run', 'ep-0000000', index))
  return (await Promise.all(read)).map((detail) => {
    expect(nodeDetailSchema.parse(detail)).toEqual(detail)
    return detail
  })
}

function checkDetails(details: readonly NodeDetail[], tree: Tree, records: readonly JournalRecord[]): void {
  expect(sum(details)).toEqual(usageOf(records))
  const shown = details.flatMap(callsOf)
  const asked = records.flatMap((record) => ('effect' in record && record.usage ? [record.effect] : []))
  expect(shown.map(({ key }) => key).toSorted()).toEqual(asked.toSorted())
  for (const [index, detail] of details.entries()) {
    const { observation, ...node } = tree.nodes[index] as Tree['nodes'][number]
    expect(detail.node).toEqual(node)
    expect(detail.observation).toEqual(observation)
    expect(detail.state_note).toBeNull()
    expect(detail.state).not.toBeNull()
    expect(detail.state_changes === null).toBe(index === 0)
    if (node.parent === null) expect(detail.proposal).toBeNull()
    else {
      expect(detail.proposal?.answers).toContain(node.message)
      const parent = details[node.parent]
      expect(parent?.children).toContain(index)
      expect(parent?.expansions.map(({ key }) => key)).toContain(detail.proposal?.key)
    }
  }
}

function callsOf({ expansions, judgement, others }: NodeDetail) {
  return [...expansions, ...(judgement?.calls ?? []), ...others]
}

function sum(details: readonly NodeDetail[]) {
  return rounded(details.reduce((total, { usage }) => addUsage(total, usage), noUsage))
}

function usageOf(records: readonly JournalRecord[]) {
  return rounded(
    records.reduce(
      (total, record) => addUsage(total, ('effect' in record && record.usage) || noUsage),
      noUsage,
    ),
  )
}

/** Sums of money depend on their order in the last bits. */
function rounded({ cost, ...usage }: typeof noUsage) {
  return { ...usage, cost: cost === null ? null : Math.round(cost * 1e9) }
}

/** What a page does to replay a search. */
function fold(growth: Growth, tree: Tree): { visits: number; value: number }[] {
  const sums = [{ visits: 0, sum: 0 }]
  for (const event of growth.steps.flatMap(({ events }) => events)) {
    if (event.type === 'node') sums[event.node] = { visits: 0, sum: 0 }
    if (event.type !== 'value') continue
    for (let at: number | null = event.node; at !== null; at = tree.nodes[at]?.parent ?? null) {
      const node = sums[at] as (typeof sums)[number]
      node.visits += 1
      node.sum += event.value
    }
  }
  return sums.map(({ visits, sum }) => ({ visits, value: visits === 0 ? 0 : sum / visits }))
}

function backedUp(growth: Growth): Map<number, number> {
  const events = growth.steps.flatMap(({ events }) => events)
  return new Map(events.flatMap((event) => (event.type === 'value' ? [[event.node, event.value]] : [])))
}
