import type { ReactNode } from 'react'
import styles from './facts.module.css'

/** What is known of a thing, as names with values; each is a {@link Fact}. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>
}

/** One fact with its name. */
export function Fact({
  name,
  value,
  isShown = true,
}: {
  name: ReactNode
  value: ReactNode
  /** Whether there is something to say. */
  isShown?: boolean
}) {
  if (!isShown) return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

/** Several values of one fact, which scroll where they are many; its children are items of a list. */
export function FactList({ children }: { children: ReactNode }) {
  return <ul className={styles.factList}>{children}</ul>
}
