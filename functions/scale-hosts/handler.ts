import { MetricUnit } from '@aws-lambda-powertools/metrics'
import type { Context } from 'aws-lambda'
import { InvokeCallHost } from '../../shared/core/world/aws/invoke-call-host.ts'
import { openAwsWorld } from '../../shared/core/world/aws/open-aws-world.ts'
import { endScalerCall } from '../../shared/environments/hosts/fleet-call.ts'
import { log, metrics, observed } from '../aws/observe.ts'
import { readSettings } from '../aws/settings.ts'
import { toWorldOptions } from '../aws/world-options.ts'
import { readFleetSettings } from './fleet-settings.ts'
import { scaleHosts } from './scale-hosts.ts'

const settings = readSettings(process.env)
const { callHost, fleets } = readFleetSettings(
  process.env,
  Object.keys(settings.ESPALIER_HOSTS?.images ?? {}),
)
const world = openAwsWorld(toWorldOptions(settings))
const caller = new InvokeCallHost(callHost)

export const handler = observed(async (_event: unknown, context: Context): Promise<void> => {
  const timeLeft = () => context.getRemainingTimeInMillis()
  const scaled = scaleHosts({ world, caller, fleets, log }, timeLeft)
  const { running, wanted, failures } = await scaled.finally(() => endScalerCall(world))
  // Each metric costs money for every hour in which it is written, so a stage without hosts writes none.
  if (running > 0 || wanted > 0) {
    metrics.addMetric('HostsRunning', MetricUnit.Count, running)
    metrics.addMetric('HostsWanted', MetricUnit.Count, wanted)
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} things failed in the fleets.`)
})
