import { useState } from 'react'
import { Link } from 'react-router'
import { formatBytes, formatNumber } from '../../../shared/core/client/format-quantity.ts'
import type { DatasetKindId, LineageRow, Origin } from '../../../shared/core/contracts/dataset.ts'
import type { ShownPart, ShownTurn } from '../../../shared/core/contracts/shown-row.ts'
import { episodeAddress } from '../../format/addresses.ts'
import { isImport } from '../../format/is-import.ts'
import { Button } from '../button.tsx'
import { Conversation, type Turn } from '../conversation.tsx'
import { PictureRow } from '../picture.tsx'
import styles from './dataset-row.module.css'

const lastOfPrompt = 2
const firstOfMany = 4
const lastOfMany = 20

const contextAtFirst = 800

const names: Record<ShownPart['name'], string> = {
  messages: 'Conversation',
  prompt: 'Prompt',
  chosen: 'Chosen',
  rejected: 'Rejected',
  completion: 'Completion',
  steps: 'Steps',
}

export function RowParts({ parts, lineage }: { parts: readonly ShownPart[]; lineage: LineageRow }) {
  const nodes = nodesOfTurns(parts, lineage)
  const numbered = parts.map((part, index) => ({ part, nodes: nodes[index] ?? [] }))
  const isSide = ({ name }: ShownPart) => name === 'chosen' || name === 'rejected'
  const sides = numbered.filter(({ part }) => isSide(part))
  return (
    <div className={styles.rowParts}>
      {numbered
        .filter(({ part }) => !isSide(part))
        .map((each) => (
          <Part key={each.part.name} {...each} isFolded={each.part.name === 'prompt' && parts.length > 1} />
        ))}
      {sides.length > 0 && (
        <div className={styles.rowSides}>
          {sides.map((each) => {
            const { reward } = (each.part.name === 'chosen' ? lineage.origin : lineage.other) ?? {}
            return <Part key={each.part.name} {...each} reward={reward ?? null} />
          })}
        </div>
      )}
    </div>
  )
}

function Part({
  part,
  nodes,
  reward,
  isFolded = false,
}: {
  part: ShownPart
  nodes: readonly (TurnNode | null)[]
  reward?: number | null
  isFolded?: boolean
}) {
  const { label, name, turns } = part
  return (
    <section className={styles.rowPart} aria-label={names[name]}>
      <h3 className={styles.partName}>
        {names[name]}
        {label !== undefined && (
          <span className={label ? styles.partGood : styles.partBad}>
            {label ? 'desirable' : 'undesirable'}
          </span>
        )}
        {reward !== undefined && reward !== null && (
          <span className={styles.partReward}>reward {reward.toFixed(2)}</span>
        )}
      </h3>
      <FoldedTurns
        turns={turns.map((turn, index) => ({
          ...toTurn(turn, index, nodes[index] ?? null),
          isUndesired: name === 'rejected' || label === false,
        }))}
        isContext={isFolded}
      />
    </section>
  )
}

function toTurn(turn: ShownTurn, index: number, from: TurnNode | null): Turn {
  const { role, content, learned, pictures } = turn
  return {
    id: String(index),
    role: role === 'text' ? 'all of it in one text' : role,
    content,
    ...(learned !== null && { learned }),
    ...(learned === false && { atFirst: contextAtFirst }),
    ...(pictures && { after: <PictureRow pictures={pictures} of={`turn ${index + 1}`} /> }),
    note: <TurnNote turn={turn} from={from} />,
  }
}

function TurnNote({ turn, from }: { turn: ShownTurn; from: TurnNode | null }) {
  const { cut, label, value } = turn
  const isLinked = from !== null && !isImport(from.origin.source)
  return (
    <>
      {label !== undefined && (
        <span className={label ? styles.turnGood : styles.turnBad}>{label ? 'good step' : 'bad step'}</span>
      )}
      {value !== undefined && <span className={styles.turnValue}>value {formatNumber(value)}</span>}
      {cut !== undefined && (
        <span>{formatBytes(cut)} of it are cut here; the row as in its file has them</span>
      )}
      {isLinked && (
        <Link
          className={styles.turnNode}
          to={episodeAddress(from.origin.source, from.origin.episode, { node: from.node })}
        >
          node {from.node}
        </Link>
      )}
    </>
  )
}

function FoldedTurns({ turns, isContext }: { turns: readonly Turn[]; isContext: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const { first, hidden, last } = foldTurns(turns, isContext)
  if (isOpen || hidden === 0) return <Conversation turns={turns} />
  return (
    <div className={styles.foldedTurns}>
      {first.length > 0 && <Conversation turns={first} />}
      <Button className={styles.foldedMore ?? ''} onClick={() => setOpen(true)}>
        Show {hidden} {first.length > 0 ? 'more' : 'earlier'} {hidden === 1 ? 'turn' : 'turns'}
      </Button>
      <Conversation turns={last} />
    </div>
  )
}

export function foldTurns<Turn>(
  turns: readonly Turn[],
  isContext: boolean,
): { first: Turn[]; hidden: number; last: Turn[] } {
  const [firstKept, lastKept] = isContext ? [0, lastOfPrompt] : [firstOfMany, lastOfMany]
  const hidden = turns.length - firstKept - lastKept
  if (hidden <= 0) return { first: [...turns], hidden: 0, last: [] }
  return { first: turns.slice(0, firstKept), hidden, last: turns.slice(-lastKept) }
}

interface TurnNode {
  origin: Origin
  node: number
}

const unmapped: readonly DatasetKindId[] = ['revision', 'prompts', 'rollouts', 'rollout-trees']

/**
 * Maps every turn of each part to its node, or to null if it has none or the node is unknown.
 *
 * In lineage, the first node is the root. The others are the model's answers in order, so a row's last answers are
 * the played ones. Revisions splice two paths, and rollouts may hold a part of
 * one, so their nodes do not map to single turns.
 */
export function nodesOfTurns(parts: readonly ShownPart[], lineage: LineageRow): (TurnNode | null)[][] {
  const { kind, origin, other } = lineage
  if (unmapped.includes(kind)) return parts.map(({ turns }) => turns.map(() => null))
  // A linearized search names the node of each of its turns, and no root.
  const answered = (path: Origin) => (kind === 'exploration' ? path.node_ids : path.node_ids.slice(1))
  const prompt = parts.find(({ name }) => name === 'prompt')
  return parts.map((part) => {
    const path = part.name === 'rejected' ? other : origin
    if (path === null) return part.turns.map(() => null)
    // Answers within a prompt belong to the path of the side that continues it: in a pair, the chosen side.
    const rest = part === prompt ? parts.find(({ name }) => name !== 'prompt' && name !== 'rejected') : null
    const before = part === prompt || prompt === undefined ? 0 : countAnswers(prompt)
    const nodes = answered(path)
    const all = before + countAnswers(part) + (rest ? countAnswers(rest) : 0)
    let answer = before - (all - nodes.length)
    return part.turns.map(({ role }) => {
      if (role !== 'assistant') return null
      const node = answer >= 0 ? nodes[answer] : undefined
      answer += 1
      return node === undefined ? null : { origin: path, node }
    })
  })
}

function countAnswers({ turns }: ShownPart): number {
  return turns.filter(({ role }) => role === 'assistant').length
}
