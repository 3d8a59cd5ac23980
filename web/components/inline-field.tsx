import { type ReactNode, useId } from 'react'
import styles from './field.module.css'

export function InlineField({
  label,
  hint,
  children,
}: {
  label: string
  hint?: string
  children: (input: { id: string }) => ReactNode
}) {
  const id = useId()
  return (
    <span className={styles.inlineField} title={hint}>
      <label htmlFor={id}>{label}</label>
      {children({ id })}
    </span>
  )
}
