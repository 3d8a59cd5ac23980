import { ErrorState } from '../error-state.tsx'
import { isRefusal } from './is-refusal.ts'
import { Refusal } from './refusal.tsx'

/**
 * Shown where a form's question about its request was not answered. A refusal names what to change; where the service failed
 * or is away, nothing needs to be changed, and it can be asked again.
 */
export function Unanswered({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return isRefusal(error) ? <Refusal error={error} /> : <ErrorState error={error} onRetry={onRetry} />
}
