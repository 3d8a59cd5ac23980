import type { ApiClient } from '../shared/core/client/api-client.ts'
import { defaultTenant } from '../shared/core/contracts/tenant.ts'
import type { Ledger } from '../shared/core/world/ports.ts'
import { wrongUsage } from './command-error.ts'
import { lookAt } from './connect.ts'
import { type GlobalOptions, parseServiceAddress } from './global-options.ts'
import type { Terminal } from './terminal.ts'

export type DeskOptions = GlobalOptions & { stage?: string }

export const stageFlag = [
  '--stage <stage>',
  'a deployment, with your AWS credentials, instead of a service',
] as const

export interface DeskWays<Desk> {
  service(client: ApiClient): Desk
  ledger(ledger: Ledger, tenant: string): Desk | Promise<Desk>
}

/**
 * Works through a service or the data folder. With a stage, it works directly on that deployment's ledger with the
 * operator's AWS credentials, for actions that no key allows or that precede the first key. A named stage overrides
 * the service in ESPALIER_URL.
 */
export async function atDesk<Desk, Result>(
  options: DeskOptions,
  terminal: Terminal,
  ways: DeskWays<Desk>,
  work: (desk: Desk) => Promise<Result>,
): Promise<Result> {
  const { stage, service, tenant = defaultTenant } = options
  if (stage === undefined) return lookAt(options, terminal, ({ client }) => work(ways.service(client)))
  const { ESPALIER_URL: usual } = terminal.environment
  if (service !== undefined && (usual === undefined || service !== parseServiceAddress(usual))) {
    throw wrongUsage('--stage and --service are two places: leave one out.')
  }
  // Imported here, so that other commands do not load the AWS clients.
  const { openStageLedger } = await import('./open-stage-ledger.ts')
  return work(await ways.ledger(await openStageLedger(stage), tenant))
}
