import { isRefused } from '../../service/refusal.ts'
import { ErrorState } from '../error-state.tsx'
import { Refusal } from './refusal.tsx'

export function Unanswered({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return isRefused(error) ? <Refusal error={error} /> : <ErrorState error={error} onRetry={onRetry} />
}
