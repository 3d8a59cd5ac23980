import { useSearchParams } from 'react-router'

/**
 * The query of the page's address, which contains the user's choices, and a function to change it. A change starts
 * from the current address, which may be newer than the last render. It adds no history entry and does not scroll.
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
