import { useSearchParams } from 'react-router'

/**
 * The query of the page's address, which holds what is chosen on it, and a way to change it. A change goes from what the address says
 * at that moment, which may be more than was drawn; it adds nothing to the browser's history, and the page does not move.
 */
export function useAddress(): [
  address: URLSearchParams,
  change: (toNext: (now: URLSearchParams) => URLSearchParams) => void,
] {
  const [address, setAddress] = useSearchParams()
  return [
    address,
    (toNext) =>
      setAddress(toNext(new URLSearchParams(window.location.search)), {
        replace: true,
        preventScrollReset: true,
      }),
  ]
}
