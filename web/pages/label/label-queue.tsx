import { useLayoutEffect, useRef, useState } from 'react'
import { episodeStatusWord } from '../../../shared/core/client/status-words.ts'
import type { Episode } from '../../../shared/core/contracts/episode.ts'
import type { EpisodeJudgement } from '../../../shared/core/contracts/judgement.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Refusal } from '../../components/form/refusal.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { runAddress } from '../../format/addresses.ts'
import { countOf } from '../../format/count-of.ts'
import { showControls } from '../../format/show-controls.ts'
import { usePageKeys } from '../../service/use-page-keys.ts'
import { judgeableEpisodes, judgedEpisodes, nextEpisode } from './episode-queue.ts'
import styles from './label.module.css'
import type { LabelChoice } from './label-choice.ts'
import { LabelEpisode } from './label-episode.tsx'
import { describeValue, labelCommand } from './label-keys.ts'
import { useJudging } from './use-judging.ts'
import { useJudgements } from './use-label-data.ts'

interface QueueProps {
  run: Run
  episodes: readonly Episode[]
  choice: LabelChoice
  onChange: (part: Partial<LabelChoice>) => void
}

interface Held {
  stored: EpisodeJudgement | null
}

export function LabelQueue(props: QueueProps) {
  const judgements = useJudgements(props.run.id, props.choice.name, true)
  return (
    <Loaded what="the judgements" query={judgements}>
      {(found) => <Queue {...props} judgements={found} />}
    </Loaded>
  )
}

function Queue({
  run,
  episodes,
  choice,
  onChange,
  judgements,
}: QueueProps & { judgements: readonly EpisodeJudgement[] }) {
  const judging = useJudging(run.id, choice)
  const [notes, setNotes] = useState<Readonly<Record<string, string>>>({})
  const { person, save, undo, last, isBusy } = judging
  const own = judgements.filter(({ by }) => person === null || by.name === person)
  const queue = judgeableEpisodes(episodes, choice.outcome)
  const judged = judgedEpisodes(own)
  const isWanted = (id: string) => choice.again || !judged.has(id)
  const asked = queue.find(({ id }) => id === choice.episode)
  const current = asked ?? queue.find(({ id }) => id === nextEpisode(queue, null, isWanted))
  const done = queue.filter(({ id }) => judged.has(id)).length

  /**
   * A judgement on its way, until the next episode shows: keys pressed before that do not judge the next episode.
   * `stored` once the service has it, so that it can be taken back.
   */
  const storing = useRef<Held | null>(null)
  const currentId = current?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: another episode is shown
  useLayoutEffect(() => {
    storing.current = null
  }, [currentId])

  const skip = () => {
    const next = nextEpisode(queue, current?.id ?? null, isWanted)
    onChange({ episode: next })
    return next
  }
  const takeBack = () => {
    if (last === null || isBusy || (storing.current !== null && storing.current.stored !== last.now)) return
    storing.current = { stored: null }
    save.reset()
    undo.mutate(last, {
      onSuccess: ({ episode }) => onChange({ episode }),
      onSettled: () => {
        storing.current = null
      },
    })
  }
  usePageKeys((key) => {
    const command = labelCommand(key, choice.scale)
    if (command === null || !('do' in command)) return false
    if (command.do === 'skip') skip()
    else if (command.do === 'undo') takeBack()
    else return false
    return true
  })

  if (queue.length === 0) {
    return (
      <EmptyState title="Nothing to judge">
        No episode of this run has ended
        {choice.outcome === 'any' ? '' : ` as ${episodeStatusWord(choice.outcome)}`}. Episodes that ended with
        an error are not judged.
      </EmptyState>
    )
  }
  return (
    <>
      <div className={styles.labelProgress}>
        <p role="status">
          {done.toLocaleString('en')} of {countOf(queue.length, 'episode')} judged
          {person !== null && ` by ${showControls(person)}`}
        </p>
        <ProgressBar label="Judged" share={done / queue.length} />
        <p className={styles.labelLast}>
          {last === null ? (
            'Nothing is judged here yet.'
          ) : (
            <>
              Stored: {last.now.episode}
              {last.now.node !== null && `, node ${last.now.node}`} {last.now.name}{' '}
              {describeValue(last.now.value, choice.scale)}{' '}
              <Button onClick={takeBack} disabled={isBusy}>
                Undo <kbd>u</kbd>
              </Button>
            </>
          )}
        </p>
      </div>
      {save.error !== null && <Refusal error={save.error} />}
      {undo.error !== null && <Refusal error={undo.error} />}
      {current === undefined ? (
        <EmptyState
          title="All of them are judged"
          action={<LinkButton to={runAddress(run.id)}>Back to the run</LinkButton>}
        >
          Choose another score, or have those that are judged already come again.
        </EmptyState>
      ) : (
        <LabelEpisode
          key={current.id}
          episode={current}
          choice={choice}
          judgements={judgements.filter(({ episode }) => episode === current.id)}
          own={person === null ? [] : own.filter(({ episode }) => episode === current.id)}
          isBusy={isBusy}
          notes={notes}
          onNote={(target, note) => setNotes((before) => ({ ...before, [target]: note }))}
          onSkip={skip}
          onJudge={(wish, target) => {
            if (isBusy || storing.current !== null) return
            const held: Held = { stored: null }
            storing.current = held
            undo.reset()
            save.mutate(wish, {
              onSuccess: (stored) => {
                setNotes(({ [target]: _, ...others }) => others)
                const isLeft = stored.node === null && (skip() !== null || !choice.again)
                held.stored = stored
                if (!isLeft) storing.current = null
              },
              onError: () => {
                storing.current = null
              },
            })
          }}
        />
      )}
    </>
  )
}
