import { notifyManager, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { Button } from '../../components/button.tsx'
import { messageOf } from '../../components/error-state.tsx'
import styles from './runs-page.module.css'
import { successKey } from './use-runs.ts'

/** Says under the list that success rates could not be had, of whatever page of it. Its line is kept free, so that nothing moves. */
export function LostRates() {
  const client = useQueryClient()
  const cache = client.getQueryCache()
  const shown = { queryKey: successKey, type: 'active' } as const
  const error = useSyncExternalStore(
    (onChange) => cache.subscribe(notifyManager.batchCalls(onChange)),
    () => cache.findAll(shown).find(({ state }) => state.status === 'error')?.state.error ?? null,
  )
  return (
    <div role="status" className={styles.lostRates}>
      {error !== null && (
        <>
          <span>Success rates could not be loaded: {messageOf(error)}</span>
          <Button onClick={() => void client.refetchQueries(shown)}>Try again</Button>
        </>
      )}
    </div>
  )
}
