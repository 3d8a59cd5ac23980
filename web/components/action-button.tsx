import type { ReactNode } from 'react'
import { Button } from './button.tsx'

/** A button that, where its action is not possible, can still be reached and says why. */
export function ActionButton({
  refusal,
  isBusy,
  kind = 'plain',
  onClick,
  children,
}: {
  /** Why it cannot be done now; null where it can. */
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
