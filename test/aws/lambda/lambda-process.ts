import { join } from 'node:path'
import type { Invocation, InvocationNews } from './lambda-pool.ts'

/** One execution environment: imports a function when it is first invoked, and runs one invocation at a time. */
process.on('message', (invocation: Invocation) => {
  run(invocation).then(
    (result) => say({ result }),
    (error: unknown) =>
      say({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
})

function say(news: InvocationNews): void {
  process.send?.(news)
}

async function run({ name, event, requestId, milliseconds, trace }: Invocation): Promise<unknown> {
  // With both of them the SDK sends the trace header along.
  process.env.AWS_LAMBDA_FUNCTION_NAME = name
  process.env._X_AMZN_TRACE_ID = trace
  const path = join(import.meta.dirname, '../../../functions', name, 'handler.ts')
  const { handler } = (await import(path)) as { handler(event: unknown, context: object): Promise<unknown> }
  say('begun')
  const end = Date.now() + milliseconds
  return handler(event, {
    awsRequestId: requestId,
    functionName: name,
    functionVersion: '1',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:123456789012:function:${name}`,
    memoryLimitInMB: '1024',
    getRemainingTimeInMillis: () => end - Date.now(),
  })
}
