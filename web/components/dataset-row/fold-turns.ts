/** Turns of a prompt that stay: the last answer, and its result. */
const lastOfPrompt = 2
/** Turns of a conversation that stay, at its beginning and its end. */
const firstOfMany = 4
const lastOfMany = 20

/**
 * What of a conversation is shown at first. Of a prompt that others go on from, how it ends: its beginning is the same in most
 * rows. A conversation is whole unless it is very long.
 */
export function foldTurns<Turn>(
  turns: readonly Turn[],
  isContext: boolean,
): { first: Turn[]; hidden: number; last: Turn[] } {
  const [firstKept, lastKept] = isContext ? [0, lastOfPrompt] : [firstOfMany, lastOfMany]
  const hidden = turns.length - firstKept - lastKept
  if (hidden <= 0) return { first: [...turns], hidden: 0, last: [] }
  return { first: turns.slice(0, firstKept), hidden, last: turns.slice(-lastKept) }
}
