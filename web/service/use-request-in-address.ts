import { useEffect } from 'react'
import { withRequest } from '../format/request-address.ts'
import { useAddress } from './use-address.ts'
import { useDebounced } from './use-debounced.ts'

export function useRequestInAddress(text: string, isWanted: boolean): void {
  const [address, setAddress] = useAddress()
  const settled = useDebounced(text, 400)
  const isBehind = isWanted && withRequest(address, settled).toString() !== address.toString()
  useEffect(() => {
    if (isBehind) setAddress((now) => withRequest(now, settled))
  })
}
