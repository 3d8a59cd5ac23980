import { ChevronDown, ChevronUp } from 'lucide-react'
import type { RefObject } from 'react'
import { IconButton } from '../../components/icon-button.tsx'
import styles from './tree-explorer.module.css'

export function SearchBox({
  field,
  text,
  hits,
  chosen,
  onText,
  onGo,
}: {
  field: RefObject<HTMLInputElement | null>
  text: string
  hits: readonly number[]
  chosen: number | null
  onText: (text: string) => void
  onGo: (direction: 1 | -1) => void
}) {
  const at = chosen === null ? -1 : hits.indexOf(chosen)
  const found = hits.length === 0 ? 'none' : at < 0 ? `${hits.length}` : `${at + 1} of ${hits.length}`
  return (
    <search className={styles.searchBox}>
      <input
        ref={field}
        type="search"
        aria-label="Find in actions, answers and observations"
        placeholder="Find in the tree"
        value={text}
        className={styles.searchField}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          onGo(event.shiftKey ? -1 : 1)
        }}
      />
      <span className={styles.searchFound} aria-live="polite">
        {text.trim() !== '' && found}
      </span>
      <IconButton label="Previous match" onClick={() => onGo(-1)} isDisabled={hits.length === 0}>
        <ChevronUp size={16} aria-hidden />
      </IconButton>
      <IconButton label="Next match" onClick={() => onGo(1)} isDisabled={hits.length === 0}>
        <ChevronDown size={16} aria-hidden />
      </IconButton>
    </search>
  )
}
