import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { formatNumber } from '../../../shared/core/client/format-quantity.ts'
import type { PlaySession, PlayTurn } from '../../../shared/core/contracts/play-session.ts'
import { Button } from '../../components/button.tsx'
import { ButtonRow } from '../../components/button-row.tsx'
import { ForeignText } from '../../components/foreign-text.tsx'
import { Refusal } from '../../components/form/refusal.tsx'
import { LongText } from '../../components/long-text.tsx'
import { Notice } from '../../components/notice.tsx'
import { Picture } from '../../components/picture.tsx'
import { Section } from '../../components/section.tsx'
import { countOf } from '../../format/count-of.ts'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'
import { ActionForm } from './action-form.tsx'
import styles from './try-page.module.css'

export function PlayedSession({ session, onEnd }: { session: PlaySession; onEnd: () => void }) {
  const client = useQueryClient()
  const field = useRef<HTMLTextAreaElement>(null)
  const [draft, setDraft] = useState({ action: '', thought: '' })
  const taken = session.steps.length - 1
  const turn = useMutation({
    mutationFn: (change: PlayTurn) => api.takeTurn(session.id, change),
    onSuccess: (after, { action }) => {
      client.setQueryData(['session', session.id], after)
      if (action !== undefined) setDraft({ action: '', thought: '' })
      field.current?.focus()
    },
    // Another tab may have gone on: its steps are the session's.
    onError: () => void client.invalidateQueries({ queryKey: ['session', session.id] }),
  })
  const saving = useMutation({ mutationFn: () => api.saveSession(session.id) })
  const ending = useMutation({ mutationFn: () => api.endSession(session.id), onSettled: onEnd })
  const isBusy = turn.isPending
  const goBack = (from: number) => {
    if (!isBusy) turn.mutate({ from })
  }
  return (
    <>
      <Section title="The task" aside={showControls(session.task.id)}>
        <ForeignText text={session.task.description} />
        <details>
          <summary>Rules, as an agent reads them</summary>
          <ForeignText text={session.rules} />
        </details>
      </Section>
      <Section title="Steps" aside={countOf(taken, 'step')}>
        <SessionSteps session={session} isBusy={isBusy} onBack={goBack} />
        <p role="status" className={styles.outcome}>
          {isBusy ? 'The environment works …' : outcomeOf(session)}
        </p>
        {turn.isError && <Refusal error={turn.error} />}
      </Section>
      <Section title="Your action">
        <ActionForm
          session={session}
          draft={draft}
          field={field}
          isBusy={isBusy}
          onDraft={setDraft}
          onAct={(action, thought) =>
            turn.mutate({ from: taken, action, ...(thought.trim() !== '' && { thought: thought.trim() }) })
          }
        />
        <ButtonRow>
          {session.can_undo && (
            <Button disabled={taken === 0 || isBusy} onClick={() => goBack(taken - 1)}>
              Undo
            </Button>
          )}
          <Button disabled={taken === 0 || isBusy || saving.isPending} onClick={() => saving.mutate()}>
            {saving.isPending ? 'Saving …' : 'Save as an expert’s trajectory'}
          </Button>
          <Button disabled={ending.isPending} onClick={() => ending.mutate()}>
            End
          </Button>
        </ButtonRow>
        <div role="status">
          {saving.data && (
            <Notice>
              Saved as <code>{saving.data.id}</code>. Name it as an expert of a{' '}
              <Link to={`/datasets/new?runs=${encodeURIComponent(saving.data.id)}`}>new dataset</Link> or a
              loop.
            </Notice>
          )}
        </div>
        {saving.isError && <Refusal error={saving.error} />}
      </Section>
    </>
  )
}

function outcomeOf({ most_steps, steps, success_threshold }: PlaySession): string {
  const last = steps.at(-1)
  if (last === undefined) return ''
  const { done, reward, valid } = last
  const worth =
    reward === null ? 'its reward needs a model as judge' : `reward ${formatNumber(reward)} if it ended here`
  if (done) {
    const solved = reward !== null && reward >= success_threshold ? 'solved' : 'not solved'
    return `The task has ended: ${solved}, ${reward === null ? worth : `reward ${formatNumber(reward)}`}.`
  }
  const left = most_steps - steps.length + 1
  return `${valid ? '' : 'The action was invalid. '}${worth}; ${countOf(left, 'step')} left.`
}

function SessionSteps({
  session: { can_undo, steps },
  isBusy,
  onBack,
}: {
  session: PlaySession
  isBusy: boolean
  onBack: (from: number) => void
}) {
  return (
    <ol className={styles.steps} start={0}>
      {steps.map(({ action, done, observation, reward, thought, valid }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step's number is its name
        <li key={place} className={styles.step}>
          <div className={styles.stepHead}>
            <h3>{action === null ? 'Start' : `Step ${place}`}</h3>
            {action !== null && <code dir="auto">{showControls(action)}</code>}
            {!valid && <span className={styles.invalid}>invalid</span>}
            {reward !== null && reward !== 0 && <span>reward {formatNumber(reward)}</span>}
            {done && <span>the task ended</span>}
            {can_undo && place < steps.length - 1 && (
              <Button disabled={isBusy} onClick={() => onBack(place)}>
                Back to here
                <span className="visually-hidden"> {place === 0 ? 'the start' : `step ${place}`}</span>
              </Button>
            )}
          </div>
          {thought !== null && <LongText label="Thought" text={thought} />}
          {observation.map((part, position) =>
            part.type === 'text' ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an observation stay as they are
              <LongText key={position} label={`Observation of step ${place}`} text={part.text} />
            ) : (
              <Picture
                key={part.sha256}
                url={part.url}
                mediaType={part.media_type}
                sha256={part.sha256}
                name={`picture ${position} of step ${place}`}
              />
            ),
          )}
        </li>
      ))}
    </ol>
  )
}
