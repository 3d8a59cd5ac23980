import { type RefObject, useState } from 'react'
import type { PlaySession } from '../../../shared/core/contracts/play-session.ts'
import { Button } from '../../components/button.tsx'
import { ButtonRow } from '../../components/button-row.tsx'
import { Field } from '../../components/field.tsx'
import form from '../../components/form/form.module.css'
import { countOf } from '../../format/count-of.ts'
import { shortText } from '../../format/short-text.ts'
import { showControls } from '../../format/show-controls.ts'
import styles from './try-page.module.css'

const some = 40

interface Draft {
  action: string
  thought: string
}

export function ActionForm({
  session: { most_steps, steps, tools, valid_actions },
  draft,
  field: box,
  isBusy,
  onDraft,
  onAct,
}: {
  session: PlaySession
  draft: Draft
  field: RefObject<HTMLTextAreaElement | null>
  isBusy: boolean
  onDraft: (draft: Draft) => void
  onAct: (action: string, thought: string) => void
}) {
  const isOver = steps.at(-1)?.done === true || steps.length > most_steps
  const isOff = isOver || isBusy || draft.action.trim() === ''
  const choose = (action: string) => {
    onDraft({ ...draft, action })
    box.current?.focus()
  }
  const act = () => {
    if (!isOff) onAct(draft.action, draft.thought)
  }
  return (
    <form
      className={form.stack}
      onSubmit={(event) => {
        event.preventDefault()
        act()
      }}
    >
      <Field
        label="Action"
        hint={
          isOver
            ? 'The task has ended: go back a step, or end the session.'
            : 'Enter takes it, Shift+Enter starts a line.'
        }
      >
        {(field) => (
          <textarea
            {...field}
            ref={box}
            rows={2}
            dir="auto"
            value={draft.action}
            onChange={({ target }) => onDraft({ ...draft, action: target.value })}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
              event.preventDefault()
              act()
            }}
          />
        )}
      </Field>
      {tools.length > 0 && (
        <fieldset className={styles.choices}>
          <legend>Tools: choose one to write its action</legend>
          {tools.map(({ action, description, name }) => (
            <Button key={name} title={shortText(description, 300)} onClick={() => choose(action)}>
              {showControls(name)}
            </Button>
          ))}
        </fieldset>
      )}
      {valid_actions !== null && !isOver && <ValidActions actions={valid_actions} onChoose={choose} />}
      <Field label="Thought" hint="Optional: the saved trajectory has it before the action.">
        {(field) => (
          <textarea
            {...field}
            rows={2}
            dir="auto"
            value={draft.thought}
            onChange={({ target }) => onDraft({ ...draft, thought: target.value })}
          />
        )}
      </Field>
      <div>
        <Button kind="primary" type="submit" disabled={isOff}>
          Act
        </Button>
      </div>
    </form>
  )
}

function ValidActions({
  actions,
  onChoose,
}: {
  actions: readonly string[]
  onChoose: (action: string) => void
}) {
  const [shown, setShown] = useState(some)
  return (
    <fieldset className={styles.choices}>
      <legend>{countOf(actions.length, 'possible action')}</legend>
      {actions.slice(0, shown).map((action) => (
        <Button key={action} onClick={() => onChoose(action)}>
          {shortText(action, 120)}
        </Button>
      ))}
      {actions.length > shown && (
        <ButtonRow>
          <Button onClick={() => setShown(shown * 5)}>{actions.length - shown} more</Button>
        </ButtonRow>
      )}
    </fieldset>
  )
}
