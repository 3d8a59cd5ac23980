import type { ReactNode } from 'react'
import styles from './definition-list.module.css'

export function DefinitionList({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>
}

export function Fact({
  name,
  value,
  isShown = true,
}: {
  name: ReactNode
  value: ReactNode
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

export function FactList({ children }: { children: ReactNode }) {
  return <ul className={styles.factList}>{children}</ul>
}
