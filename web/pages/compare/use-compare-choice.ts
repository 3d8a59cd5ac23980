import { useNavigate, useSearchParams } from 'react-router'
import { type ChangeChoice, type CompareChoice, readChoice, writeChoice } from './compare-choice.ts'

export function useCompareChoice(): [CompareChoice, ChangeChoice] {
  const [address] = useSearchParams()
  const navigate = useNavigate()
  return [
    readChoice(address),
    // Read the current address, because a recent change may not be rendered yet.
    (toChanges) => {
      const now = readChoice(new URLSearchParams(window.location.search))
      void navigate({ search: writeChoice({ ...now, ...toChanges(now) }) }, { preventScrollReset: true })
    },
  ]
}
