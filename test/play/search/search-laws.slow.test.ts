import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRandom } from '../../../shared/core/random/random.ts'
import type { ChatModel } from '../../../shared/play/models/chat-model.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { createHashModel } from '../../support/hash-model.ts'
import { createHashModels } from '../../support/hash-models.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { type PlayOnceOptions, playOnce, treeBytes, treeOf } from '../../support/play-once.ts'
import { prefixedObjects } from '../../support/prefixed-objects.ts'
import { randomMethods, randomRun, someMemories } from '../../support/random-methods.ts'
import { journalEntries, trace } from '../../support/scripted-episode.ts'
import { referencePuct } from './reference-puct.ts'
import { makeSearch } from './scripted-search.ts'

/** Many episodes in one world, each in a part of its own. */
async function openWorlds(): Promise<() => PlayOnceOptions['world']> {
  const world = await openTestWorld()
  let opened = 0
  return () => {
    opened += 1
    return { ...world, objects: prefixedObjects(world.objects, `${opened}/`) }
  }
}

async function played(options: PlayOnceOptions): Promise<PlayOnceOptions> {
  expect((await playOnce(options)).outcome).toEqual({ type: 'ended', limit: null })
  return options
}

const small = (max: number) => fc.integer({ min: 1, max })
const never = { stop_after_invalid: 1000, stop_after_repeats: 1000 }
const settings = fc.record({
  iterations: small(12),
  branching: small(3),
  proposals: small(6),
  exploration: fc.constantFrom(0.3, 1, 2),
  max_steps: small(5),
})
const judged = { id: 'mcts', value: 'judge', rubric: false, verdicts: 1, scale: 'debate', ...never }

describe('a search with PUCT', () => {
  test.each([
    ['one leaf at a time', 1],
    ['two leaves at a time', 2],
    ['many leaves at a time', 5],
  ])('does what the pseudocode does, %s', async (_how, parallel) => {
    const worlds = await openWorlds()
    await fc.assert(
      fc.asyncProperty(settings, fc.nat(), async (given, seed) => {
        const made = makeSearch(seed)
        const method = { ...judged, ...given, parallel }
        const options = await played({ ...made.given, world: worlds(), method })
        expect(await trace(options)).toEqual(referencePuct(made, { ...given, parallel }))
      }),
      { numRuns: 25 },
    )
  })

  test('visits every state it takes a step to, and no more of them than it has iterations', async () => {
    const worlds = await openWorlds()
    await fc.assert(
      fc.asyncProperty(settings, small(4), fc.boolean(), fc.nat(), async (given, parallel, reuse, seed) => {
        const method = { ...judged, ...given, parallel, reuse }
        const options = await played({ ...makeSearch(seed).given, world: worlds(), method })
        const { nodes } = await treeOf(options)
        const entries = await journalEntries(options)
        const backups = entries.flatMap((entry) => ('backup' in entry ? [entry.backup] : []))
        const commits = entries.filter((entry) => 'commit' in entry).length
        expect(nodes[0]?.visits).toBe(backups.length)
        for (const [index, { visits, value }] of nodes.entries()) {
          const through = backups.filter(({ node }) => isBelow(nodes, node, index))
          expect(visits).toBe(through.length)
          expect(visits).toBeGreaterThan(0)
          expect(value).toBe(through.reduce((sum, at) => sum + at.value, 0) / visits)
        }
        expect(nodes.length - 1).toBeLessThanOrEqual(given.iterations * commits)
      }),
      { numRuns: 25 },
    )
  })

  test('that goes on with what it knows asks the policy once in a state, and expands one for each iteration', async () => {
    const worlds = await openWorlds()
    await fc.assert(
      fc.asyncProperty(settings, small(4), fc.nat(), async (given, parallel, seed) => {
        const made = makeSearch(seed)
        const method = { ...judged, ...given, parallel, reuse: true }
        const options = await played({ ...made.given, world: worlds(), method })
        const asked = made.model.calls.filter(({ role }) => role === 'policy').map(({ way }) => way)
        expect(new Set(asked).size).toBe(asked.length)
        const plans = (await journalEntries(options)).filter((entry) => 'commit' in entry).length
        expect(asked.length).toBeLessThanOrEqual(1 + plans * given.iterations)
        // Nothing of a tree that is kept is stepped to twice either.
        const lines = (await trace(options)).filter((line) => line.startsWith('took'))
        expect(new Set(lines).size).toBe(lines.length)
      }),
      { numRuns: 25 },
    )
  })
})

function isBelow(nodes: readonly { parent: number | null }[], node: number, above: number): boolean {
  for (let at: number | null = node; at !== null; at = nodes[at]?.parent ?? null)
    if (at === above) return true
  return false
}

/** The same model, whose every answer comes after another time. */
function withLatencies(model: ChatModel, seed: number): ChatModel {
  const random = createRandom(seed)
  return {
    async complete(...call) {
      await new Promise((resolve) => setTimeout(resolve, random() * 6))
      return model.complete(...call)
    },
  }
}

describe.each(Object.entries(randomMethods))('%s', (_name, method) => {
  test('comes to the same tree, whichever answer comes first', async () => {
    const worlds = await openWorlds()
    await fc.assert(
      fc.asyncProperty(randomRun(method), fc.nat(), async (chosen, seed) => {
        const play = async (model: ChatModel) =>
          treeBytes(
            await played({
              ...chosen,
              world: worlds(),
              environment: createHashEnvironment(seed, { depth: 3 }),
              model,
              models: createHashModels(model),
              memories: someMemories,
            }),
          )
        const model = createHashModel({ delay: 0 })
        const bytes = await play(model)
        expect(await play(withLatencies(model, seed))).toBe(bytes)
        expect(await play(withLatencies(model, seed + 1))).toBe(bytes)
      }),
      { numRuns: 10 },
    )
  })

  test('makes one node of a proposal at most', async () => {
    const worlds = await openWorlds()
    await fc.assert(
      fc.asyncProperty(randomRun(method), fc.nat(), async (chosen, seed) => {
        const model = createHashModel({ delay: 0 })
        const options = await played({
          ...chosen,
          world: worlds(),
          environment: createHashEnvironment(seed, { depth: 3 }),
          model,
          models: createHashModels(model),
          memories: someMemories,
        })
        const entries = await journalEntries(options)
        const effects = entries.flatMap((entry) => ('node' in entry ? [entry.node.effect] : []))
        expect(new Set(effects).size).toBe(effects.length)
      }),
      { numRuns: 20 },
    )
  })
})
