import type { Context } from 'aws-lambda'
import { handle, type LambdaEvent } from 'hono/aws-lambda'
import { log, observed } from '../aws/observe.ts'
import { once } from '../aws/once.ts'
import { openFunctionServices } from '../aws/open-function-services.ts'
import { wiringOf } from '../aws/open-invocation-engine.ts'
import { wireService } from '../wiring/wire-service.ts'
import { gatewayPrincipal } from './authentication/gateway-principal.ts'
import { createApp } from './create-app.ts'

/**
 * The gateway gives up after 30 seconds and buffers the whole answer, so event streams end early and clients
 * reconnect with Last-Event-ID. A function returns at most 6 MB, including streams in base64.
 */
const eventTimes = { window: 15_000, poll: 1000, snapshot: 2000, most: 3_000_000 }

const openHandler = once(async () => {
  const { api } = wireService(wiringOf(await openFunctionServices(), `api-${process.pid}`))
  return handle(createApp(api, { authenticate: gatewayPrincipal, log, eventTimes }))
})

export const handler = observed(async (event: LambdaEvent, context: Context) => {
  const answer = await openHandler()
  return answer(event, context)
})
