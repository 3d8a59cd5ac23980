import { formatNumber, noNumber } from '../../../shared/core/client/format-quantity.ts'
import type { Judgement as Judged } from '../../../shared/core/contracts/node-detail.ts'
import { ForeignText } from '../../components/foreign-text.tsx'
import { countVotes } from '../../tree/count-votes.ts'
import type { ValueRange } from '../../tree/value-colour.ts'
import styles from './model-call.module.css'
import { ModelCall } from './model-call.tsx'
import { PanelPart } from './panel-part.tsx'
import { ValueChip } from './value-chip.tsx'

export function Judgement({ judgement, range }: { judgement: Judged; range: ValueRange }) {
  const { votes, value, debate, checks, calls } = judgement
  return (
    <PanelPart title="How it was judged" note={<ValueChip value={value} range={range} />} isOpen>
      {debate !== null && (
        <div className={styles.debate}>
          <Side name="For the last action" text={debate.support} />
          <Side name="Against it" text={debate.oppose} />
        </div>
      )}
      {votes.length > 0 && (
        <>
          <ul className={styles.voteCounts} aria-label="Votes by value">
            {countVotes(votes).map(({ value: vote, count }) => (
              <li key={String(vote)} className={styles.voteCount}>
                {vote === null ? 'unreadable' : <ValueChip value={vote} range={range} />}
                <span className={styles.voteTrack}>
                  <span className={styles.voteShare} style={{ width: `${(count / votes.length) * 100}%` }} />
                </span>
                {count} of {votes.length}
              </li>
            ))}
          </ul>
          <PanelPart title="Every verdict" note={`${votes.length}`} level={4}>
            <ol className={styles.votes}>
              {votes.map((vote, position) => {
                const id = `vote-${position}`
                return (
                  <li key={id}>
                    <p className={styles.voteWorth}>
                      worth {vote.value === null ? noNumber : formatNumber(vote.value)}
                    </p>
                    <ForeignText text={vote.answer} />
                  </li>
                )
              })}
            </ol>
          </PanelPart>
        </>
      )}
      {checks !== null && (
        <PanelPart title="What the judge checks in this task" level={4}>
          <ForeignText text={checks} />
        </PanelPart>
      )}
      {calls.length > 0 && (
        <PanelPart title="The calls" note={`${calls.length}`} level={4}>
          {calls.map((call) => (
            <ModelCall key={call.key} call={call} taken={null} />
          ))}
        </PanelPart>
      )}
    </PanelPart>
  )
}

function Side({ name, text }: { name: string; text: string }) {
  return (
    <div className={styles.debateSide}>
      <h4>{name}</h4>
      <ForeignText text={text} />
    </div>
  )
}
