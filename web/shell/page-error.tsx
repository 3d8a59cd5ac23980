import { useRouteError } from 'react-router'
import { Button } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import styles from './shell.module.css'

/** What stands in place of a page that broke: a bug of ours, or a part of the page that could not be loaded. */
export function PageError() {
  const error = useRouteError()
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
