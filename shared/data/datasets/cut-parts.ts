import type { ShownPart, ShownTurn } from '../../core/contracts/shown-row.ts'
import { clipText } from '../../core/contracts/well-formed.ts'

/** Maximum characters of a row's turns shown beside its data: several hundred pages. */
const most = 500_000

export function cutParts(parts: readonly ShownPart[]): ShownPart[] {
  const lengths = parts.flatMap(({ turns }) => turns.map(({ content }) => content.length))
  const longest = longestTurn(lengths)
  return parts.map((part) => ({ ...part, turns: part.turns.map((turn) => cutTurn(turn, longest)) }))
}

function longestTurn(lengths: readonly number[]): number {
  let longest = most
  const total = () => lengths.reduce((sum, length) => sum + Math.min(length, longest), 0)
  while (longest > 0 && total() > most) longest = Math.floor(longest / 2)
  return longest
}

function cutTurn(turn: ShownTurn, longest: number): ShownTurn {
  if (turn.content.length <= longest) return turn
  const content = clipText(turn.content.toWellFormed(), longest)
  return { ...turn, content, cut: turn.content.length - content.length }
}
