import type { TokenTurn } from './token-turns.ts'

export interface Sequence {
  prompt: readonly number[]
  spans: SequenceSpan[]
}

export interface SequenceSpan {
  ids: readonly number[]
  /** The position of the agent's turn on the path, and the log-probabilities; null: the environment's tokens. */
  answer: { step: number; logprobs: readonly (number | null)[] } | null
}

/**
 * The turns of a path as flat sequences. A turn joins the sequence before it if its prompt begins with that sequence,
 * id by id. Otherwise it begins another: its prompt was shortened, or the server tokenized it in another way.
 */
export function sequencesOf(turns: readonly TokenTurn[]): Sequence[] {
  const sequences: Sequence[] = []
  let so_far: number[] = []
  for (const [step, turn] of turns.entries()) {
    const before = turns[step - 1]
    // Several nodes of one answer, such as those of a program.
    if (before?.call === turn.call && before.answer === turn.answer) continue
    const current = sequences.at(-1)
    const answer: SequenceSpan = { ids: turn.ids, answer: { step, logprobs: turn.logprobs } }
    if (current !== undefined && beginsWith(turn.prompt, so_far)) {
      const between = turn.prompt.slice(so_far.length)
      if (between.length > 0) current.spans.push({ ids: between, answer: null })
      current.spans.push(answer)
    } else {
      sequences.push({ prompt: turn.prompt, spans: [answer] })
    }
    so_far = [...turn.prompt, ...turn.ids]
  }
  return sequences
}

function beginsWith(ids: readonly number[], start: readonly number[]): boolean {
  return ids.length >= start.length && start.every((id, place) => ids[place] === id)
}
