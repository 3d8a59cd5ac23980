import type { ReactNode } from 'react'

export function Column({
  isNumber = false,
  isUnseen = false,
  hint,
  children,
}: {
  isNumber?: boolean
  /** Leaves the title to screen readers only, because the cells explain themselves visually. */
  isUnseen?: boolean
  hint?: string
  children: ReactNode
}) {
  return (
    <th scope="col" className={isNumber ? 'number' : undefined} title={hint}>
      {isUnseen ? <span className="visually-hidden">{children}</span> : children}
    </th>
  )
}
