import { ErrorState } from '../error-state.tsx'
import { isRefusal } from './is-refusal.ts'
import { Refusal } from './refusal.tsx'

export function Unanswered({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return isRefusal(error) ? <Refusal error={error} /> : <ErrorState error={error} onRetry={onRetry} />
}
