import type { Context, ScheduledEvent } from 'aws-lambda'
import { buryAllLetters } from '../aws/bury-letter.ts'
import { observed } from '../aws/observe.ts'
import { openFunctionServices } from '../aws/open-function-services.ts'
import { openInvocationEngine } from '../aws/open-invocation-engine.ts'

/**
 * Seconds after which the sweeper sends a queued but never started episode again. An hour unless ESPALIER_LOST_AFTER
 * overrides it: queues hold messages for days, and a message waiting in a long queue need not be sent twice.
 */
const lostAfter = Number(process.env.ESPALIER_LOST_AFTER ?? 3600)

export const handler = observed(async (_event: ScheduledEvent, context: Context): Promise<void> => {
  const parts = await openFunctionServices()
  const wired = openInvocationEngine(parts, `lambda-${context.awsRequestId}`)
  await wired.engine.sweep({ lostAfter })
  if (parts.settings.ESPALIER_SWEEP_DEAD_LETTERS) await buryAllLetters(wired, parts.world.queues)
})
