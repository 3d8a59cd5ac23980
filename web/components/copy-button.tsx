import { Check, Copy, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from './icon-button.tsx'

const shownFor = 1500

/** Copies a text. Renders nothing if the browser gives the page no clipboard, as over plain HTTP. */
export function CopyButton({
  what,
  text,
  icon: Icon = Copy,
}: {
  what: string
  text: string | (() => string)
  icon?: LucideIcon
}) {
  const [isCopied, setCopied] = useState(false)
  if (!navigator.clipboard) return null

  async function copy() {
    await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
    setCopied(true)
    setTimeout(() => setCopied(false), shownFor)
  }

  return (
    <IconButton label={isCopied ? 'Copied' : `Copy ${what}`} onClick={() => void copy()}>
      {isCopied ? <Check size={16} aria-hidden /> : <Icon size={16} aria-hidden />}
    </IconButton>
  )
}
