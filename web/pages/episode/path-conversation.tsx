import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Conversation, type Turn } from '../../components/conversation.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { shortText } from '../../format/short-text.ts'
import type { TreeIndex } from '../../tree/index-tree.ts'
import { type PathTurn, pathTurns } from '../../tree/path-turns.ts'
import { HeadMessages } from './head-messages.tsx'
import type { NodePlace } from './node-panel.tsx'
import { NodePictures } from './node-pictures.tsx'
import styles from './tree-explorer.module.css'

const some = 60

export function PathConversation({
  place,
  index,
  best,
  chosen,
  onChoose,
}: {
  place: Omit<NodePlace, 'node'>
  index: TreeIndex
  best: number
  chosen: number | null
  onChoose: (node: number) => void
}) {
  const [isToChosen, setToChosen] = useState(chosen !== null && chosen !== best)
  const [shown, setShown] = useState(some)
  const end = isToChosen && chosen !== null ? chosen : best
  const turns = pathTurns(index, end)
  return (
    <div className={styles.pathConversation}>
      {chosen !== null && chosen !== best && (
        <fieldset className={styles.pathChoice}>
          <legend className="visually-hidden">Which path</legend>
          <label>
            <input type="radio" checked={!isToChosen} onChange={() => setToChosen(false)} /> to the answer
            (node {best})
          </label>
          <label>
            <input type="radio" checked={isToChosen} onChange={() => setToChosen(true)} /> to the chosen node
            ({chosen})
          </label>
        </fieldset>
      )}
      <HeadMessages messages={index.tree.messages} />
      {index.tree.nodes[0]?.observation.some(({ type }) => type === 'blob') && (
        <NodePictures {...place} node={0} />
      )}
      {turns.length === 0 ? (
        <EmptyState title="No action yet">
          <p>The path to this node has no turns: it is the root.</p>
        </EmptyState>
      ) : (
        <div className={styles.pathTurns}>
          <Conversation turns={turns.slice(0, shown).flatMap((turn) => toTurns(turn, place, onChoose))} />
        </div>
      )}
      {turns.length > shown && (
        <div className={styles.pathTurns}>
          <Button onClick={() => setShown(shown + some * 5)}>{turns.length - shown} more turns</Button>
        </div>
      )}
    </div>
  )
}

function toTurns(
  { node, said, thoughts, shown, pictures, notes }: PathTurn,
  place: Omit<NodePlace, 'node'>,
  onChoose: (node: number) => void,
): Turn[] {
  const link = (
    <button type="button" className={styles.pathLink} onClick={() => onChoose(node)}>
      node {node}
    </button>
  )
  const words = notes.length > 0 && <bdi>{notes.map((note) => shortText(note, 160)).join(' · ')}</bdi>
  return [
    { id: `${node}-said`, role: 'assistant', content: said, ...(thoughts && { thoughts }), note: link },
    {
      id: `${node}-shown`,
      role: 'environment',
      content: shown,
      note: words,
      ...(pictures.length > 0 && { after: <NodePictures {...place} node={node} /> }),
    },
  ]
}
