import { type FormEvent, useState } from 'react'
import { sessionKey } from '../service/session-key.ts'
import { useStore } from '../service/store.ts'
import { Button } from './button.tsx'
import { ButtonRow } from './button-row.tsx'
import { Field } from './field.tsx'
import styles from './form/form.module.css'

export function KeyForm({ onDone }: { onDone?: () => void }) {
  const current = useStore(sessionKey)
  const [text, setText] = useState('')

  function submit(event: FormEvent) {
    event.preventDefault()
    sessionKey.set(text.trim())
    onDone?.()
  }

  return (
    <form className={styles.stack} onSubmit={submit}>
      <Field
        label="Key"
        hint="It stays in this tab until the tab is closed. Make one with `espalier keys create --name me --scopes runs:write,runs:read,datasets:read`."
      >
        {(field) => (
          <input
            {...field}
            type="password"
            autoComplete="off"
            required
            pattern="\s*[\x21-\x7e]+\s*"
            placeholder="esp_…"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <ButtonRow>
        <Button type="submit" kind="primary">
          Use this key
        </Button>
        {current !== null && (
          <Button
            onClick={() => {
              sessionKey.set(null)
              onDone?.()
            }}
          >
            Forget the key
          </Button>
        )}
      </ButtonRow>
    </form>
  )
}
