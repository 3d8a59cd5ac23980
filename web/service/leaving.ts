import type { createBrowserRouter } from 'react-router'

type Watched = Pick<ReturnType<typeof createBrowserRouter>, 'state'>

let router: Watched | null = null

export function watchLeaving(watched: Watched): void {
  router = watched
}

/**
 * True while the router leaves this page for another, which may still be loading or rendering. A change of the
 * address would then cancel that, or land on the other page.
 */
export function isLeaving(pathname: string): boolean {
  if (router === null) return false
  const { location, navigation } = router.state
  return (navigation.location ?? location).pathname !== pathname
}
