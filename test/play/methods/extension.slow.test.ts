import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { openMethods, parseMethodParameters } from '../../../shared/play/methods/methods.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { createHashModel } from '../../support/hash-model.ts'
import { createHashModels } from '../../support/hash-models.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { type PlayOnceOptions, playOnce, treeBytes } from '../../support/play-once.ts'
import { prefixedObjects } from '../../support/prefixed-objects.ts'
import { randomMethods, someMemories } from '../../support/random-methods.ts'

/** What a run of the method may be given more of when it has ended. */
function extendable({ id, ...given }: PlayOnceOptions['method']): readonly string[] {
  const method = openMethods().find(id)
  return method.extendable(parseMethodParameters(method, JSON.parse(JSON.stringify(given)) as JsonObject))
}

test.each(Object.entries(randomMethods))(
  '%s: an episode that was extended is the longer one, at the price of what is missing',
  async (_name, method) => {
    const world = await openTestWorld()
    let played = 0
    await fc.assert(
      fc.asyncProperty(method, fc.nat(), fc.integer({ min: 1, max: 4 }), async (chosen, seed, more) => {
        const longer = Object.fromEntries(
          extendable(chosen).flatMap((name) => {
            const before = (chosen as Record<string, unknown>)[name]
            return typeof before === 'number' ? [[name, before + more]] : []
          }),
        )
        let calls = 0
        const model = createHashModel({
          delay: 0,
          onCall: () => {
            calls += 1
          },
        })
        const open = (extension: object): PlayOnceOptions => {
          played += 1
          return {
            method: { ...chosen, ...extension },
            world: { ...world, objects: prefixedObjects(world.objects, `${played}/`) },
            environment: createHashEnvironment(seed, { depth: 4 }),
            model,
            models: createHashModels(model),
            memories: someMemories,
          }
        }
        const whole = open(longer)
        await playOnce(whole)
        const all = calls
        calls = 0
        const part = open({})
        await playOnce(part)
        const { outcome } = await playOnce({
          ...part,
          method: { ...chosen, ...longer },
          writer: 'extension',
        })
        expect(outcome).toEqual({ type: 'ended', limit: null })
        expect(await treeBytes(part)).toBe(await treeBytes(whole))
        expect(calls).toBe(all)
      }),
      { numRuns: 20 },
    )
  },
)

test('a search grows where what it did stays as it was: it has no wave of leaves that would have been larger', () => {
  const rollouts = { id: 'mcts', iterations: 4 }
  const valued = { ...rollouts, value: 'judge', plan: 'whole-task' }
  expect(extendable(rollouts)).toEqual(['iterations'])
  expect(extendable({ ...rollouts, parallel: 2 })).toEqual([])
  expect(extendable(valued)).toEqual(['iterations'])
  expect(extendable({ ...valued, parallel: 2 })).toEqual([])
  expect(extendable({ ...valued, exploration_schedule: 'linear' })).toEqual([])
  expect(extendable({ ...valued, plan: 'per-step' })).toEqual([])
})
