import { expect } from 'vitest'
import { definitions } from '../../shared/environments/environments.ts'
import { addressSessions } from '../../shared/environments/hosts/address-sessions.ts'
import { validateEnvironment } from '../../shared/environments/validation/validate-environment.ts'
import { openProgramHost } from './open-program-host.ts'

/** Plays an environment with the validator on a host of its image; it has to pass every check that can be made there. */
export async function expectValidOnHost(id: string, image: string, python: string): Promise<void> {
  const environment = await definitions.find((definition) => definition.id === id)?.open(null)
  if (environment === undefined) throw new Error(`There is no environment ${id}.`)
  const host = await openProgramHost(image, python)
  try {
    const sessions = addressSessions({ address: host.address, environment: id, withSnapshots: false })
    const report = await validateEnvironment(environment, { tasks: 3, steps: 8, sessions })
    expect(report.checks.filter(({ status }) => status === 'failed')).toEqual([])
    expect(report).toMatchObject({ ok: true, environment: id })
    expect(report.steps).toBeGreaterThan(20)
  } finally {
    await host.close()
  }
}
