import type { RefObject } from 'react'
import { Link } from 'react-router'
import {
  formatCount,
  formatMoney,
  formatNumber,
  noNumber,
} from '../../../shared/core/client/format-quantity.ts'
import { episodeEndWord } from '../../../shared/core/client/status-words.ts'
import type { Episode } from '../../../shared/core/contracts/episode.ts'
import type { EpisodeJudgement } from '../../../shared/core/contracts/judgement.ts'
import { Button } from '../../components/button.tsx'
import { DefinitionList, Fact } from '../../components/definition-list.tsx'
import { Field } from '../../components/field.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { episodeAddress } from '../../format/addresses.ts'
import { shortText } from '../../format/short-text.ts'
import { showControls } from '../../format/show-controls.ts'
import styles from './label.module.css'
import type { LabelChoice } from './label-choice.ts'
import { describeValue, valueKeys } from './label-keys.ts'

const longestNote = 4000

export function JudgePanel({
  episode: { id, run, task, epoch, result },
  choice: { name, scale },
  step,
  isHidden,
  isBusy,
  judgements,
  given,
  note,
  field,
  onNote,
  onJudge,
  onSkip,
}: {
  episode: Episode
  choice: LabelChoice
  step: number | null
  isHidden: boolean
  isBusy: boolean
  judgements: readonly EpisodeJudgement[]
  given: EpisodeJudgement | null
  note: string
  field: RefObject<HTMLTextAreaElement | null>
  onNote: (note: string) => void
  onJudge: (value: number) => void
  onSkip: () => void
}) {
  const what = step === null ? 'the episode' : `step ${step}`
  const hidden = <span className="soft">hidden</span>
  return (
    <aside className={styles.judgePanel} aria-label="Judgement">
      <h2>
        <Link to={episodeAddress(run, id)}>
          <bdi>{shortText(task, 120)}</bdi>
        </Link>
      </h2>
      <div className={styles.judgeFacts}>
        <DefinitionList>
          <Fact name="Episode" value={epoch > 0 ? `${id}, epoch ${epoch + 1}` : id} />
          <Fact
            name="Outcome"
            value={
              isHidden ? hidden : <StatusBadge status={result === null ? 'queued' : episodeEndWord(result)} />
            }
          />
          <Fact name="Reward" value={isHidden ? hidden : formatNumber(result?.reward ?? null)} />
          <Fact name="Steps" value={result === null ? noNumber : formatCount(result.path_length)} />
          <Fact name="Cost" value={result === null ? noNumber : formatMoney(result.usage.cost)} />
        </DefinitionList>
      </div>
      <div className={styles.judgeValues} data-step={step !== null}>
        <h3 aria-live="polite">
          {name} of {what}
        </h3>
        <div className={styles.judgeButtons}>
          {valueKeys[scale].map(({ value, word, keys }) => (
            <Button
              key={value}
              aria-pressed={given?.value === value}
              disabled={isBusy}
              onClick={() => onJudge(value)}
            >
              {word}{' '}
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </Button>
          ))}
        </div>
        <Field label={`Note on ${what}`} hint="Stored with the value.">
          {(input) => (
            <textarea
              {...input}
              ref={field}
              rows={2}
              maxLength={longestNote}
              value={note}
              onChange={({ target }) => onNote(target.value)}
              onKeyDown={({ key, currentTarget }) => {
                if (key === 'Escape') currentTarget.blur()
              }}
            />
          )}
        </Field>
        <p className={styles.judgeGiven}>
          {judgements.length === 0
            ? 'No judgement of the episode yet.'
            : judgements.map((judgement) => (
                <span key={judgement.id}>
                  {showControls(judgement.by.name)}: {describeValue(judgement.value, scale)}
                  {judgement.note !== null && <bdi> “{showControls(judgement.note)}”</bdi>}
                </span>
              ))}
        </p>
      </div>
      <Button onClick={onSkip}>
        Skip <kbd>s</kbd>
      </Button>
      <KeysOfPage />
    </aside>
  )
}

const keys: Record<string, string> = {
  'j k': 'next step, previous step',
  l: 'judge the current step; again: the episode',
  m: 'write a note; Esc leaves it',
  s: 'skip this episode',
  u: 'take the last judgement back',
}

function KeysOfPage() {
  return (
    <dl className={styles.judgeKeys} aria-label="Keys">
      {Object.entries(keys).map(([names, what]) => (
        <div key={names}>
          <dt>
            {names.split(' ').map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  )
}
