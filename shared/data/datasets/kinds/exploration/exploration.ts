import { z } from 'zod'
import type { ConversationRow, WeightedMessage } from '../../../../core/contracts/dataset-row.ts'
import type { Json } from '../../../../core/contracts/json.ts'
import type { LeftOutReason } from '../../../../core/contracts/left-out-reasons.ts'
import type { Message } from '../../../../core/contracts/message.ts'
import { withNewestPictures } from '../../../../play/search/newest-pictures.ts'
import { wordTurns } from '../../annotators/word-turns.ts'
import type { Attempt } from '../../attempt.ts'
import type { DatasetKind, FoundRow } from '../../kind.ts'
import { pathTo } from '../../path-to.ts'
import { type SeenPictures, seenHead, seenPictures } from '../../seen-pictures.ts'
import { asContext } from '../as-context.ts'
import { type ExplorationParameters, explorationParameters } from './exploration-parameters.ts'
import { formatTurn, headWithRestoreRule } from './format-turn.ts'
import { type LinearizedSearch, linearizeAttempt } from './linearize-attempt.ts'

const keptFirst = 2

export const exploration: DatasetKind<ExplorationParameters, ConversationRow> = {
  id: 'exploration',
  description:
    'Searches rendered as one episode with explicit steps back and the value of each state in words; a row for each turn, which alone is learned.',
  source:
    'Yu et al. 2024, ExACT (arXiv 2410.02052), exploratory learning; traversals from the journal, texts of turns by Espalier',
  rowType: 'conversation',
  parameters: explorationParameters,
  annotator: (parameters) => (asksModel(parameters) ? wordTurns(parameters) : null),
  async *rows({ attempts }, parameters, scope) {
    for (const attempt of attempts) {
      scope.signal?.throwIfAborted()
      const found = await findRows(attempt, parameters, seenPictures(attempt, scope))
      if (typeof found === 'string') yield { attempt, left_out: found }
      else yield* found
    }
  },
}

async function findRows(
  attempt: Attempt,
  parameters: ExplorationParameters,
  seen: SeenPictures,
): Promise<FoundRow<ConversationRow>[] | LeftOutReason> {
  const search = await linearizeAttempt(attempt, parameters, seen)
  if (typeof search === 'string') return search
  const turns = await formatTurns(attempt, search, parameters)
  if (typeof turns === 'string') return turns
  const { tree } = search
  const messages = seenHead(tree, seen)
  if (messages === null) return 'not_text'
  const head = parameters.imitation
    ? messages
    : headWithRestoreRule({ ...tree, messages }, parameters.restore_action)
  const examples = [...explorationExamples(head, turns, parameters.max_context, seen ?? 0)]
  return examples.map(({ row, node_ids }) => ({ row, origin: { attempt, node_ids } }))
}

function asksModel({ choose, rewrite, imitation }: ExplorationParameters): boolean {
  return !imitation && (choose === 'model' || rewrite === 'model')
}

async function formatTurns(
  attempt: Attempt,
  search: LinearizedSearch,
  parameters: ExplorationParameters,
): Promise<FormattedTurn[] | LeftOutReason> {
  if (parameters.imitation) return answerOf(search)
  if (!asksModel(parameters)) return search.turns.map((turn) => ({ ...turn, text: formatTurn(turn) }))
  const annotation = await attempt.annotation()
  const texts = search.turns.map((_, place) => wordedText(annotation?.get(`turn/${place}`)))
  if (texts.some((text) => text === null)) return 'not_asked'
  return search.turns.map((turn, place) => ({ ...turn, text: texts[place] as string }))
}

const wordedTurnSchema = z.object({ text: z.string() })

function wordedText(kept: Json | undefined): string | null {
  return kept === undefined ? null : wordedTurnSchema.parse(kept).text
}

function answerOf({ tree, turns }: LinearizedSearch): FormattedTurn[] {
  return pathTo(tree, tree.best)
    .slice(1)
    .map((node) => {
      const turn = turns.find((each) => each.node === node && each.undone === 0)
      if (turn?.message == null)
        throw new Error(`The linearized search does not reach node ${node} of its answer.`)
      const { pictures, reasoning, shown, message } = turn
      return {
        node,
        shown,
        text: message,
        message,
        ...(reasoning && { reasoning }),
        ...(pictures && { pictures }),
      }
    })
}

interface FormattedTurn {
  shown: string
  pictures?: Message['pictures']
  text: string
  /** The answer as played; thoughts belong to it, and not to a rewritten one. */
  message: string | null
  reasoning?: string
  node: number
}

/**
 * Builds one row for each turn: the turns before it, and the turn itself as the only learned one. Long conversations
 * keep their first 4 turns and the last of the others.
 *
 * @param head - the messages before the first answer, the first observation included
 * @param mostPictures - maximum number of newest pictures of a row, as in a prompt
 * @param maxContext - turns of both sides from the first observation on, an even number
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), its code `tree_to_data`: prefixes of more than 16 elements keep 4
 * and 12
 */
function* explorationExamples(
  head: readonly Message[],
  turns: readonly FormattedTurn[],
  maxContext: number,
  mostPictures: number,
): Iterable<{ row: ConversationRow; node_ids: number[] }> {
  const before = asContext(head)
  for (const last of turns.keys()) {
    const rounds = keptRounds(last, maxContext / 2)
    const messages: WeightedMessage[] = [...before]
    for (const round of rounds) {
      const { shown, pictures, text, message, reasoning } = turns[round] as FormattedTurn
      const thoughts = reasoning !== undefined && text === message && { reasoning }
      if (round > 0) messages.push({ role: 'user', content: shown, ...(pictures && { pictures }) })
      messages.push({ role: 'assistant', content: text, ...thoughts, weight: round === last ? 1 : 0 })
    }
    yield {
      row: { type: 'conversation', messages: withNewestPictures(messages, mostPictures) },
      node_ids: rounds.map((round) => (turns[round] as FormattedTurn).node),
    }
  }
}

function keptRounds(last: number, most: number): number[] {
  const rounds = Array.from({ length: last + 1 }, (_, round) => round)
  return rounds.length <= most ? rounds : [...rounds.slice(0, keptFirst), ...rounds.slice(keptFirst - most)]
}
