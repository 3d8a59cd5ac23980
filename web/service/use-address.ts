import { useLocation, useSearchParams } from 'react-router'
import { isLeaving } from './leaving.ts'

/**
 * The query of the page's address, which contains the user's choices, and a function to change it. A change starts
 * from the current address, which may be newer than the last render. It adds no history entry and does not scroll.
 * Once the user leaves the page, it changes nothing.
 */
export function useAddress(): [
  address: URLSearchParams,
  change: (toNext: (now: URLSearchParams) => URLSearchParams) => void,
] {
  const [address, setAddress] = useSearchParams()
  const { pathname } = useLocation()
  return [
    address,
    (toNext) => {
      if (isLeaving(pathname)) return
      const next = toNext(new URLSearchParams(window.location.search))
      setAddress(next, { replace: true, preventScrollReset: true })
    },
  ]
}
