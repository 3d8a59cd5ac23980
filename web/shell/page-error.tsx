import { useEffect, useRef } from 'react'
import { useRouteError } from 'react-router'
import { Button } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { checkConnection, connection } from '../service/connection.ts'
import { useStore } from '../service/store.ts'
import styles from './shell.module.css'

/**
 * What stands in place of a page that broke: a bug of ours, or a part of the page that could not be loaded. Where that is because
 * no service answers, the page is loaded as soon as one does.
 */
export function PageError() {
  const error = useRouteError()
  const isLost = useStore(connection) === 'lost'
  const wasLost = useRef(isLost)

  useEffect(() => void checkConnection(), [])
  useEffect(() => {
    if (isLost) wasLost.current = true
    else if (wasLost.current) location.reload()
  }, [isLost])

  if (isLost) {
    return (
      <main className={styles.page}>
        <div role="status">
          <EmptyState title="The service does not answer">
            This page could not be loaded. It is loaded by itself as soon as the service is back.
          </EmptyState>
        </div>
      </main>
    )
  }
  return (
    <main className={styles.page}>
      <EmptyState
        title="This page broke"
        action={
          <Button kind="primary" onClick={() => location.reload()}>
            Load it again
          </Button>
        }
      >
        {error instanceof Error ? error.message : String(error)}
      </EmptyState>
    </main>
  )
}
