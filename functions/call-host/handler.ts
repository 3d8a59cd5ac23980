import type { Context } from 'aws-lambda'
import { z } from 'zod'
import type { HostAnswer } from '../../shared/core/contracts/host-call.ts'
import { openAwsLedger } from '../../shared/core/world/aws/open-aws-ledger.ts'
import { systemClock } from '../../shared/core/world/system-clock.ts'
import { DirectHostCaller } from '../../shared/environments/hosts/direct-host-caller.ts'
import { log, logger } from '../aws/observe.ts'
import { createCallHost } from './call-host.ts'

const { ESPALIER_TABLE } = z.object({ ESPALIER_TABLE: z.string().min(1) }).parse(process.env)
const world = { ledger: openAwsLedger(ESPALIER_TABLE), clock: systemClock }

const callHost = createCallHost(new DirectHostCaller({ world, network: 'private' }), log)

/** The only way to the hosts, because it runs in their network. It looks hosts up and needs no other right. */
export async function handler(event: unknown, context: Context): Promise<HostAnswer> {
  logger.addContext(context)
  return callHost(event)
}
