import { Button } from './button.tsx'
import styles from './table.module.css'

export function ShowMore({
  query,
}: {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }
}) {
  if (!query.hasNextPage) return null
  return (
    <p className={styles.showMore}>
      <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {query.isFetchingNextPage ? 'Looking …' : 'Show more'}
      </Button>
    </p>
  )
}
