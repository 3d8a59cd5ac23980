import { type KeyboardEvent, useId, useState } from 'react'
import { showControls } from '../../format/show-controls.ts'
import { Button } from '../button.tsx'
import scroll from '../table.module.css'
import { TimeAgo } from '../time-ago.tsx'
import styles from './choices.module.css'
import form from './form.module.css'
import { type SourceChoice, searchChoices } from './search-choices.ts'

export function SourcePicker({
  name,
  hint,
  choices,
  chosen,
  isCut,
  error,
  onChange,
}: {
  name: string
  hint?: string
  choices: readonly SourceChoice[]
  chosen: readonly string[]
  isCut: boolean
  error: string | undefined
  onChange: (ids: string[]) => void
}) {
  const [search, setSearch] = useState('')
  const id = useId()
  const shown = searchChoices(choices, chosen, search)
  const typed = search.trim()
  const isNew = typed !== '' && !choices.some((choice) => choice.id === typed) && !chosen.includes(typed)
  const add = () => {
    onChange([...chosen, typed])
    setSearch('')
  }
  const toggle = (source: string) =>
    onChange(chosen.includes(source) ? chosen.filter((each) => each !== source) : [...chosen, source])

  return (
    <fieldset className={form.group} aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend>
        {name} {chosen.length > 0 && <span className="soft">{chosen.length} chosen</span>}
      </legend>
      {hint && <p className="soft">{hint}</p>}
      <div className={styles.sourceSearch}>
        <input
          type="search"
          aria-label={`Search: ${name}`}
          placeholder="Name, id, method, environment"
          autoComplete="off"
          dir="auto"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
          onKeyDown={(event: KeyboardEvent) => {
            // Enter in the search field must not submit the form.
            if (event.key === 'Enter') event.preventDefault()
          }}
        />
        {isNew && shown.length === chosen.length && <Button onClick={add}>Add this id</Button>}
      </div>
      <ul className={`${scroll.scrollList} ${styles.sourceList}`}>
        {shown.map((choice) => (
          <li key={choice.id}>
            <Choice
              choice={choice}
              isChosen={chosen.includes(choice.id)}
              onToggle={() => toggle(choice.id)}
            />
          </li>
        ))}
        {shown.length === 0 && (
          <li className={styles.noSource}>{choices.length === 0 ? 'There are none yet.' : 'No match.'}</li>
        )}
      </ul>
      {isCut && <p className="soft">These are the newest; enter the id of an older one to add it.</p>}
      {error !== undefined && (
        <p id={`${id}-error`} className={form.error}>
          {error}
        </p>
      )}
    </fieldset>
  )
}

function Choice({
  choice: { about, created_at, id, name, unready },
  isChosen,
  onToggle,
}: {
  choice: SourceChoice
  isChosen: boolean
  onToggle: () => void
}) {
  return (
    <label className={styles.sourceChoice}>
      <input
        type="checkbox"
        checked={isChosen}
        disabled={unready !== null && !isChosen}
        onChange={onToggle}
      />
      <span className={styles.sourceText}>
        {name !== null && (
          <span className={styles.sourceName} dir="auto">
            {showControls(name)}
          </span>
        )}
        <span>
          <span className={`identifier ${styles.sourceId}`}>{showControls(id)}</span>
          {created_at !== null && (
            <span className="soft">
              {' '}
              <TimeAgo at={created_at} />
            </span>
          )}
        </span>
        <span className="soft" dir="auto">
          {showControls(about)}
          {unready !== null && `; ${unready}`}
        </span>
      </span>
    </label>
  )
}
