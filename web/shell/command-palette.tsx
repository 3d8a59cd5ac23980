import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { workWord } from '../../shared/core/client/status-words.ts'
import { Dialog } from '../components/dialog.tsx'
import { runName } from '../format/run-name.ts'
import { showControls } from '../format/show-controls.ts'
import { api } from '../service/api.ts'
import { useDebounced } from '../service/use-debounced.ts'
import styles from './command-palette.module.css'
import { type PaletteEntry, paletteEntries } from './palette-entries.ts'

const rest = 150
const mostRuns = 6

export function CommandPalette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title="Go to" isOpen={isOpen} onClose={onClose}>
      <Choice onClose={onClose} />
    </Dialog>
  )
}

function Choice({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const base = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const entries = paletteEntries(typed, pathname, useFoundRuns(typed))
  const chosen = Math.min(at, entries.length - 1)

  function go(entry: PaletteEntry | undefined) {
    if (entry === undefined) return
    onClose()
    void navigate(entry.to)
  }

  function onKeyDown(event: KeyboardEvent) {
    const last = entries.length - 1
    const next = { ArrowDown: chosen === last ? 0 : chosen + 1, ArrowUp: chosen === 0 ? last : chosen - 1 }[
      event.key
    ]
    if (next !== undefined) setAt(next)
    else if (event.key === 'Enter') go(entries[chosen])
    else return
    event.preventDefault()
  }

  return (
    <div className={styles.palette}>
      <input
        ref={(field) => field?.setAttribute('autofocus', '')}
        type="search"
        role="combobox"
        aria-label="Page, run, episode or action"
        aria-expanded
        aria-controls={`${base}-list`}
        aria-activedescendant={`${base}-${chosen}`}
        placeholder="A page, a run’s name or id, an episode, an action"
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        maxLength={200}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${base}-list`} role="listbox" aria-label="Found" className={styles.entries}>
        {entries.map((entry, index) => (
          <Entry
            key={`${entry.group} ${entry.to} ${entry.name}`}
            id={`${base}-${index}`}
            entry={entry}
            isFirst={entry.group !== entries[index - 1]?.group}
            isChosen={index === chosen}
            onChoose={() => go(entry)}
          />
        ))}
      </div>
    </div>
  )
}

function Entry({
  id,
  entry: { group, name, note },
  isFirst,
  isChosen,
  onChoose,
}: {
  id: string
  entry: PaletteEntry
  isFirst: boolean
  isChosen: boolean
  onChoose: () => void
}) {
  return (
    <div
      id={id}
      ref={(element) => {
        if (isChosen) element?.scrollIntoView({ block: 'nearest' })
      }}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      className={styles.entry}
      onClick={onChoose}
      onKeyDown={() => undefined}
    >
      <span className={styles.group}>{isFirst && group}</span>
      <span dir="auto" className={styles.name}>
        {showControls(name)}
      </span>
      {note !== undefined && (
        <span dir="auto" className={styles.note}>
          {showControls(note)}
        </span>
      )}
    </div>
  )
}

function useFoundRuns(typed: string) {
  const name = useDebounced(typed.trim(), rest)
  const query = { limit: mostRuns, ...(name !== '' && { name }) }
  const { data } = useQuery({
    queryKey: ['runs', query],
    queryFn: () => api.runs(query),
    placeholderData: (previous: Awaited<ReturnType<typeof api.runs>> | undefined) => previous,
  })
  return (data?.data ?? []).map((run) => ({
    id: run.id,
    name: runName(run),
    note: `${run.request.method.id} in ${run.request.environment}, ${workWord(run.status)}`,
  }))
}
