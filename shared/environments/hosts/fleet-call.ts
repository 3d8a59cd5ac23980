import type { World } from '../../core/world/ports.ts'
import { hostKeys } from './host-row.ts'

const callDuration = 60_000

export type CallScaler = () => Promise<void>

/**
 * Calls the scaler when callers wait for slots, once for all of them: a caller that finds it called, and not ended
 * since, leaves it alone. A waiter repeats its request, so one that came as the scaler ended calls it the next time.
 */
export async function callScalerOnce(
  { ledger, clock }: Pick<World, 'ledger' | 'clock'>,
  call: CallScaler,
): Promise<void> {
  const now = clock.now()
  const known = await ledger.get(hostKeys.scaler)
  if (known !== null && isValid(known.until, now)) return
  const since = known === null ? ({ is: 'absent' } as const) : equalTo(known.until)
  const { ok } = await ledger.update({
    key: hostKeys.scaler,
    set: { until: now + callDuration },
    if: [since],
    expires_at: now + callDuration,
  })
  if (!ok) return
  try {
    await call()
  } catch (error) {
    await endScalerCall({ ledger })
    throw error
  }
}

export async function endScalerCall({ ledger }: Pick<World, 'ledger'>): Promise<void> {
  if ((await ledger.get(hostKeys.scaler)) === null) return
  await ledger.update({ key: hostKeys.scaler, delete: true })
}

/** A call valid for longer than any is was made before the clock was set back. */
function isValid(until: unknown, now: number): boolean {
  return typeof until === 'number' && until > now && until <= now + callDuration
}

function equalTo(until: unknown) {
  return { attribute: 'until', is: 'equal', value: Number(until) } as const
}
