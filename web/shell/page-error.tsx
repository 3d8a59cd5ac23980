import { type ReactNode, useEffect, useRef } from 'react'
import { useRouteError } from 'react-router'
import { Button } from '../components/button.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { checkConnection, connection } from '../service/connection.ts'
import { useStore } from '../service/store.ts'
import styles from './shell.module.css'

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
          <PageHeader
            title="The service does not answer"
            tab="No answer"
            lead="This page could not be loaded. It is loaded again as soon as the service answers."
          />
        </div>
      </main>
    )
  }
  if (isLostPart(error)) {
    return (
      <Broken title="This page could not be loaded">
        A part of it is missing. A newer version may have been installed since this tab was opened.
      </Broken>
    )
  }
  return <Broken title="This page broke">{error instanceof Error ? error.message : String(error)}</Broken>
}

function Broken({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={styles.page}>
      <PageHeader
        title={title}
        tab={title}
        lead={children}
        actions={
          <Button kind="primary" onClick={() => location.reload()}>
            Load it again
          </Button>
        }
      />
    </main>
  )
}

/** Error messages of browsers and the CSS preloader for a chunk that they could not fetch. */
const words = [
  /^Unable to preload CSS/,
  /dynamically imported module/,
  /Importing a module script failed/,
  /is not a valid JavaScript MIME type/,
]

export function isLostPart(error: unknown): boolean {
  return error instanceof Error && words.some((each) => each.test(error.message))
}
