import type { ReactNode } from 'react'

export function Column({
  isNumber = false,
  isUnseen = false,
  hint,
  children,
}: {
  isNumber?: boolean
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
