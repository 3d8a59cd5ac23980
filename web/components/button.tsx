import type { ButtonHTMLAttributes } from 'react'
import { Link, type LinkProps } from 'react-router'
import styles from './button.module.css'

type Kind = 'primary' | 'plain' | 'danger'

const looks: Record<Kind, string> = {
  primary: `${styles.button} ${styles.primary}`,
  plain: `${styles.button}`,
  danger: `${styles.button} ${styles.danger}`,
}

export function Button({
  kind = 'plain',
  type = 'button',
  className = '',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { kind?: Kind }) {
  return <button {...rest} type={type} className={`${looks[kind]} ${className}`.trim()} />
}

export function LinkButton({ kind = 'plain', ...rest }: Omit<LinkProps, 'className'> & { kind?: Kind }) {
  return <Link {...rest} className={looks[kind]} />
}
