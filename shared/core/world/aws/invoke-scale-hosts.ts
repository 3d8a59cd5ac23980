import type { LambdaClient } from '@aws-sdk/client-lambda'
import { AwsConnections } from './aws-connections.ts'
import { awsCall } from './aws-error.ts'

export function invokeScaleHosts(name: string, connections = new AwsConnections()): () => Promise<void> {
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
