import type { LambdaClient } from '@aws-sdk/client-lambda'
import type { CallScaler } from '../../hosts/fleet-call.ts'
import { AwsConnections } from './aws-connections.ts'
import { awsCall } from './aws-error.ts'

/**
 * Calls the function that scales the fleets, without waiting: it checks them for as long as slots are awaited.
 * @param name the function's name
 */
export function invokeScaleHosts(name: string, connections = new AwsConnections()): CallScaler {
  let open: (() => LambdaClient) | null = null
  return async () => {
    // Loaded with the first call: most starts of functions call no host.
    const lambda = await import('@aws-sdk/client-lambda')
    open ??= connections.lazily((settings) => new lambda.LambdaClient(settings))
    const client = open()
    const call = {
      doing: 'call the scaler of hosts',
      resource: `the function "${name}"`,
      setting: 'ESPALIER_SCALE_HOSTS',
    }
    await awsCall(call, () =>
      client.send(new lambda.InvokeCommand({ FunctionName: name, InvocationType: 'Event' })),
    )
  }
}
