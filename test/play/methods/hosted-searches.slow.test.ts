import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { createHashModel } from '../../support/hash-model.ts'
import { createHashModels } from '../../support/hash-models.ts'
import { openInProcessHosts } from '../../support/in-process-hosts.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { type PlayOnceOptions, playOnce, treeBytes } from '../../support/play-once.ts'
import { randomMethods, someMemories } from '../../support/random-methods.ts'

const { act: _act, react: _react, 'reflexion, trying again': _reflexion, ...searches } = randomMethods

describe.each([
  ['with snapshots', { withSnapshots: true, isSeveral: false }],
  ['by replay', { withSnapshots: false, isSeveral: false }],
  ['by replay in several sessions, with a host that is lost', { withSnapshots: false, isSeveral: true }],
])('a search on hosts, %s, comes to the same tree as in the worker', (_how, { withSnapshots, isSeveral }) => {
  test.each(Object.entries(searches))('%s', async (_name, method) => {
    await fc.assert(
      fc.asyncProperty(method, fc.nat(), async (chosen, seed) => {
        const model = createHashModel({ delay: 1 })
        const environment = createHashEnvironment(seed, { depth: 3 })
        const open = async (): Promise<PlayOnceOptions> => ({
          world: await openTestWorld(),
          environment,
          model,
          models: createHashModels(model),
          memories: someMemories,
          method: chosen,
        })
        const here = await open()
        expect((await playOnce(here)).outcome).toEqual({ type: 'ended', limit: null })
        const there = await open()
        if (!('ledger' in there.world)) throw new Error('Hosts need a whole world.')
        const hosts = openInProcessHosts({
          ...{ world: there.world, environment, withSnapshots },
          // Whichever has the sessions by then.
          onCall: ({ host }, made) => isSeveral && made === 12 && hosts.lose(host),
        })
        for (const id of ['host-1', 'host-2']) await hosts.add(id)
        const several = isSeveral && { environment: { ...environment, snapshot: 'replay' } as never }
        const hosted = { ...there, ...several, hosting: 'host' as const, sessions: hosts.sessions }
        expect((await playOnce(hosted)).outcome).toEqual({ type: 'ended', limit: null })
        expect(await treeBytes(hosted)).toBe(await treeBytes(here))
      }),
      { numRuns: 5 },
    )
  })
})
