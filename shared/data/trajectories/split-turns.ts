import { withoutReasoning } from '../../play/answers/reasoning.ts'
import { takesAction } from '../formats/answer-action.ts'
import { BadRowError } from '../formats/bad-row-error.ts'
import { type HeadMessage, type ReadStep, type Turn, toHeadMessage } from '../formats/read-trajectory.ts'

/** An answer that only agrees to play, such as "OK" or "OK. I'll follow your instructions and try my best." */
const agreement = /^(ok|okay|sure|understood|got it|i understand|yes)\b/i
const longestAgreement = 200

/**
 * Splits a conversation into its head and its steps. The head is everything before the first answer of the
 * trajectory: instructions, an agreement, examples, the first observation. The first of these rules that applies
 * selects that answer:
 *
 * 1. the answer after `headLength` messages, if that is set;
 * 2. the first trained answer, if the row flags each answer and does not train on all of them;
 * 3. the first answer that names an `Action:`;
 * 4. the first answer longer than a short agreement.
 *
 * After it, answers and observations alternate.
 *
 * @throws BadRowError if there is no prompt, no answer, an empty turn, or if a turn is missing
 */
export function splitTurns(
  turns: readonly Turn[],
  headLength: number | null,
): { head: HeadMessage[]; steps: ReadStep[] } {
  const empty = turns.find(({ content, isResult = false }) => content.trim() === '' && !isResult)
  if (empty !== undefined) throw new BadRowError(empty.at, 'the turn is empty')
  const start = headLength ?? findStart(turns)
  const first = turns[start]
  if (first?.role !== 'assistant') throw noAnswer(turns, headLength)
  const head = turns.slice(0, start)
  checkHead(head, first)
  return { head: head.map(toHeadMessage), steps: toSteps(turns.slice(start)) }
}

function findStart(turns: readonly Turn[]): number {
  const answers = turns.flatMap((turn, at) => (turn.role === 'assistant' ? [{ ...turn, place: at }] : []))
  const marked = answers.filter(({ learned }) => learned !== null)
  const isMarked =
    marked.some(({ learned }) => learned === true) && marked.some(({ learned }) => learned === false)
  const found =
    (isMarked ? answers.find(({ learned }) => learned === true) : undefined) ??
    answers.find(({ content }) => takesAction(content)) ??
    answers.find(({ content }) => !isAgreement(withoutReasoning(content).trim()))
  return found?.place ?? -1
}

function isAgreement(said: string): boolean {
  return said.length <= longestAgreement && agreement.test(said)
}

function noAnswer(turns: readonly Turn[], headLength: number | null): BadRowError {
  const [first] = turns
  if (first === undefined) return new BadRowError(null, 'there are no turns')
  if (headLength !== null && headLength < turns.length) {
    return new BadRowError(
      turns[headLength]?.at ?? null,
      `after a head of ${headLength} messages the model must answer`,
    )
  }
  return new BadRowError(first.at.replace(/\[\d+\]$/, ''), 'there is no turn of the model that acts')
}

function checkHead(head: readonly Turn[], first: Turn): void {
  const last = head.at(-1)
  if (last === undefined || head[0]?.role === 'assistant') {
    throw new BadRowError(
      head[0]?.at ?? first.at,
      'the model speaks before anything was said: the prompt is missing',
    )
  }
  if (last.role !== 'user') {
    throw new BadRowError(
      first.at,
      'two turns of the model in a row: nothing was shown before its first action',
    )
  }
}

function toSteps(turns: readonly Turn[]): ReadStep[] {
  const steps: ReadStep[] = []
  let open: ReadStep | null = null
  for (const { role, content, at, action, reasoning } of turns) {
    if (role === 'system') throw new BadRowError(at, 'a system turn after the first action')
    if (role === 'assistant') {
      if (open !== null)
        throw new BadRowError(at, 'two turns of the model in a row: an observation is missing')
      open = {
        message: content,
        ...(action !== undefined && { action }),
        ...(reasoning !== undefined && { reasoning }),
        observation: null,
      }
      steps.push(open)
    } else {
      if (open === null)
        throw new BadRowError(at, 'two observations in a row: a turn of the model is missing')
      open.observation = content
      open = null
    }
  }
  return steps
}
