import type { Ref } from 'react'
import { Link } from 'react-router'
import type { EpisodeJudgement } from '../../../shared/core/contracts/judgement.ts'
import type { Tree } from '../../../shared/core/contracts/tree.ts'
import { Conversation } from '../../components/conversation.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { type EpisodePlace, episodeAddress } from '../../format/addresses.ts'
import { showControls } from '../../format/show-controls.ts'
import type { PathTurn } from '../../tree/path-turns.ts'
import { HeadMessages } from '../episode/head-messages.tsx'
import { NodePictures } from '../episode/node-pictures.tsx'
import styles from './label.module.css'
import type { Scale } from './label-choice.ts'
import { describeValue } from './label-keys.ts'

export function LabelSteps({
  ref,
  place,
  tree,
  turns,
  current,
  isJudged,
  isHidden,
  judgements,
  scale,
  onChoose,
}: {
  ref: Ref<HTMLOListElement>
  place: EpisodePlace
  tree: Tree
  turns: readonly PathTurn[]
  current: number | null
  isJudged: boolean
  isHidden: boolean
  judgements: readonly EpisodeJudgement[]
  scale: Scale
  onChoose: (step: number) => void
}) {
  return (
    <>
      <HeadMessages messages={tree.messages} />
      {turns.length === 0 && (
        <EmptyState title="No action">The episode ended before it took an action.</EmptyState>
      )}
      <ol ref={ref} className={styles.labelSteps}>
        {turns.map(({ node, said, shown, pictures, outcome }, at) => (
          <li
            key={node}
            tabIndex={-1}
            className={styles.labelStep}
            aria-current={at === current ? 'step' : undefined}
            data-judged={at === current && isJudged}
            onFocus={() => onChoose(at)}
          >
            <p className={styles.labelStepHead}>
              <b>Step {at + 1}</b>
              <Link to={episodeAddress(place.run, place.episode, { node })}>node {node}</Link>
              {!isHidden && outcome.length > 0 && <span>{outcome.join(' · ')}</span>}
              {judgements
                .filter((judgement) => judgement.node === node)
                .map((judgement) => (
                  <span key={judgement.id} className={styles.labelGiven}>
                    {showControls(judgement.by.name)}: {describeValue(judgement.value, scale)}
                    {judgement.note !== null && <bdi> “{showControls(judgement.note)}”</bdi>}
                  </span>
                ))}
            </p>
            <Conversation
              turns={[
                { id: 'said', role: 'assistant', content: said },
                {
                  id: 'shown',
                  role: 'environment',
                  content: shown,
                  ...(pictures.length > 0 && { after: <NodePictures {...place} node={node} /> }),
                },
              ]}
            />
          </li>
        ))}
      </ol>
    </>
  )
}
