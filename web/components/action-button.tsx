import type { ReactNode } from 'react'
import { Button } from './button.tsx'

export function ActionButton({
  refusal,
  isBusy,
  kind = 'plain',
  onClick,
  children,
}: {
  /** The reason the action is impossible; null if it is possible. */
  refusal: string | null
  isBusy: boolean
  kind?: 'primary' | 'plain' | 'danger'
  onClick: () => void
  children: ReactNode
}) {
  const isOff = refusal !== null || isBusy
  return (
    <Button
      kind={isOff ? 'plain' : kind}
      aria-disabled={isOff}
      {...(refusal !== null && { title: refusal })}
      onClick={() => {
        if (!isOff) onClick()
      }}
    >
      {children}
      {refusal !== null && <span className="visually-hidden">: {refusal}</span>}
    </Button>
  )
}
