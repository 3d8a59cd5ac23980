import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import type { Episode } from '../../../shared/core/contracts/episode.ts'
import type { EpisodeJudgement } from '../../../shared/core/contracts/judgement.ts'
import { Loaded } from '../../components/loaded.tsx'
import { api } from '../../service/api.ts'
import { usePageKeys } from '../../service/use-page-keys.ts'
import { indexTree } from '../../tree/index-tree.ts'
import { pathTurns } from '../../tree/path-turns.ts'
import { JudgePanel } from './judge-panel.tsx'
import styles from './label.module.css'
import type { LabelChoice } from './label-choice.ts'
import { labelCommand } from './label-keys.ts'
import { LabelSteps } from './label-steps.tsx'
import type { JudgedTarget } from './use-judging.ts'

export function LabelEpisode({
  episode,
  choice,
  judgements,
  own,
  isBusy,
  notes,
  onNote,
  onSkip,
  onJudge,
}: {
  episode: Episode
  choice: LabelChoice
  judgements: readonly EpisodeJudgement[]
  own: readonly EpisodeJudgement[]
  isBusy: boolean
  notes: Readonly<Record<string, string>>
  onNote: (target: string, note: string) => void
  onSkip: () => void
  onJudge: (
    wish: { target: JudgedTarget; value: number; note: string; before: EpisodeJudgement | null },
    key: string,
  ) => void
}) {
  const { id, run } = episode
  const tree = useQuery({ queryKey: ['tree', run, id], queryFn: () => api.tree(run, id) })
  const turns = useMemo(() => tree.data && pathTurns(indexTree(tree.data), tree.data.best), [tree.data])
  const [step, setStep] = useState<number | null>(null)
  const [isOfStep, setOfStep] = useState(false)
  const list = useRef<HTMLOListElement>(null)
  const note = useRef<HTMLTextAreaElement>(null)
  const node = isOfStep && step !== null ? (turns?.[step]?.node ?? null) : null
  const key = `${id} ${node}`
  const before = own.find((judgement) => judgement.node === node) ?? null
  const text = notes[key] ?? before?.note ?? ''
  const isHidden = choice.blind && !own.some((judgement) => judgement.node === null)

  function goTo(next: number) {
    const at = Math.max(0, Math.min((turns?.length ?? 0) - 1, next))
    const element = list.current?.children[at]
    if (!(element instanceof HTMLElement)) return
    setStep(at)
    element.focus({ preventScroll: true })
    element.scrollIntoView({ block: 'nearest' })
  }
  function judge(value: number) {
    onJudge({ target: { episode: id, node }, value, note: text, before }, key)
    setOfStep(false)
  }
  usePageKeys((pressed) => {
    const command = labelCommand(pressed, choice.scale)
    if (command === null) return false
    if ('value' in command) judge(command.value)
    else if ('step' in command) goTo(step === null ? 0 : step + command.step)
    else if (command.do === 'step') {
      if (step === null) goTo(0)
      setOfStep(!isOfStep && (turns?.length ?? 0) > 0)
    } else if (command.do === 'note') note.current?.focus()
    else if (command.do === 'leave') setOfStep(false)
    else return false
    return true
  })

  return (
    <div className={styles.labelColumns}>
      <div className={styles.labelTrajectory}>
        <Loaded what="the trajectory" query={tree}>
          {(found) => (
            <LabelSteps
              ref={list}
              place={{ run, episode: id }}
              tree={found}
              turns={turns ?? []}
              current={step}
              isJudged={isOfStep}
              isHidden={isHidden}
              judgements={isHidden ? own : judgements}
              scale={choice.scale}
              onChoose={setStep}
            />
          )}
        </Loaded>
      </div>
      <JudgePanel
        episode={episode}
        choice={choice}
        step={isOfStep && step !== null ? step + 1 : null}
        isHidden={isHidden}
        isBusy={isBusy}
        judgements={(isHidden ? own : judgements).filter((judgement) => judgement.node === null)}
        given={before}
        note={text}
        field={note}
        onNote={(typed) => onNote(key, typed)}
        onJudge={judge}
        onSkip={onSkip}
      />
    </div>
  )
}
