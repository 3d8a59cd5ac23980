import { ApiError } from '../../shared/core/client/api-error.ts'
import { ConnectionError } from '../../shared/core/client/connection-error.ts'
import { asksForKey, isMissing } from '../service/refusal.ts'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { KeyForm } from './key-form.tsx'
import styles from './state.module.css'

export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (asksForKey(error)) {
    return (
      <section className={styles.errorKey} aria-label="API key">
        <h2>This service asks for an API key</h2>
        <p>{messageOf(error)}</p>
        <KeyForm />
      </section>
    )
  }
  return (
    <div role="alert">
      <EmptyState
        title={titleOf(error)}
        action={onRetry && !isMissing(error) && <Button onClick={onRetry}>Try again</Button>}
      >
        <p>{messageOf(error)}</p>
      </EmptyState>
    </div>
  )
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function titleOf(error: unknown): string {
  if (error instanceof ConnectionError) return 'This could not be loaded yet'
  if (!(error instanceof ApiError)) return 'Something went wrong in this page'
  if (error.status === 403) return 'Your key may not see this'
  return error.status === 404 ? 'This is not there' : 'The service could not answer'
}
