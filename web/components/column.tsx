import type { ReactNode } from 'react'

/** The head of a column of a table. */
export function Column({
  isNumber = false,
  isUnseen = false,
  hint,
  children,
}: {
  /** Of numbers, which are aligned at that side. */
  isNumber?: boolean
  /** Only heard, where what is in the column says to the eye what it is. */
  isUnseen?: boolean
  /** What its name does not say. */
  hint?: string
  children: ReactNode
}) {
  return (
    <th scope="col" className={isNumber ? 'number' : undefined} title={hint}>
      {isUnseen ? <span className="visually-hidden">{children}</span> : children}
    </th>
  )
}
