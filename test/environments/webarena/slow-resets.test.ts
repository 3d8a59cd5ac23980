import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { HostedEnvironment } from '../../../shared/environments/environment.ts'
import { leaseDuration } from '../../../shared/environments/hosts/host-registry.ts'
import { webarenaDefinition } from '../../../shared/environments/webarena/definition.ts'
import { webarenaRegistrationSchema } from '../../../shared/environments/webarena/registration.ts'

const leased = (timeout?: number) => {
  const reset = { address: 'http://lab.example/reset', ...(timeout !== undefined && { timeout }) }
  return { address: 'http://shop.example', sharing: { kind: 'leased', reset } }
}

async function hostOf(sites: object) {
  const registration = webarenaRegistrationSchema.parse({ kind: 'webarena', sites })
  const definition = webarenaDefinition({ id: 'mine', registration, folder: '.', variables: {} })
  const read = async () => Buffer.from('[]')
  const opened = await definition.open({ digest: 'digest', name: 'own', files: ['index.json'], read })
  const { host } = opened as HostedEnvironment
  if (host.kind !== 'image') throw new Error('It has another host.')
  return host
}

test('hosts have the time of the longest reset and of opening the pages, within the lease of their slot', async () => {
  const timeouts = fc.option(fc.integer({ min: 1, max: 600 }), { nil: undefined })
  await fc.assert(
    fc.asyncProperty(timeouts, timeouts, async (shopping, gitlab) => {
      const { answers_within = 30, slow_start } = await hostOf({
        shopping: leased(shopping),
        gitlab: leased(gitlab),
      })
      expect(answers_within).toBeGreaterThanOrEqual(Math.max(shopping ?? 600, gitlab ?? 600) + 80)
      expect(answers_within * 1000).toBeLessThan(leaseDuration)
      expect(slow_start).toContain(`shopping (timeout ${shopping ?? 600}), gitlab (timeout ${gitlab ?? 600})`)
    }),
  )
})

test('a reset may take ten minutes at most', async () => {
  await expect(hostOf({ shopping: leased(601) })).rejects.toThrow('600')
})
