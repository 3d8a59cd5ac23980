import { ErrorState } from '../error-state.tsx'
import { isRefusal } from './is-refusal.ts'
import { Refusal } from './refusal.tsx'

/**
 * Shown when the service does not answer a form's question about its request. A refusal names the field to change. If
 * the service failed or is unreachable, the user can retry unchanged.
 */
export function Unanswered({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return isRefusal(error) ? <Refusal error={error} /> : <ErrorState error={error} onRetry={onRetry} />
}
