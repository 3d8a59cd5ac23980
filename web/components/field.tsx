import { type ReactNode, useId } from 'react'
import styles from './field.module.css'
import { InlineCode } from './inline-code.tsx'

export interface FieldInput {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/**
 * An input with its label, hint and error.
 *
 * @example
 * <Field label="Name" error={errors.name}>{(field) => <input {...field} value={name} … />}</Field>
 */
export function Field({
  label,
  hint,
  error,
  children,
}: {
  label: ReactNode
  hint?: ReactNode
  error?: string | null | undefined
  children: (input: FieldInput) => ReactNode
}) {
  const id = useId()
  const described = [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter((each) => each !== null)
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.fieldLabel}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="soft">
          {typeof hint === 'string' ? <InlineCode text={hint} /> : hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles.fieldError}>
          {error}
        </p>
      )}
    </div>
  )
}
