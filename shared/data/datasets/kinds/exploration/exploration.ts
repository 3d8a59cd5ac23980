import { z } from 'zod'
import type { ConversationRow } from '../../../../core/contracts/dataset-row.ts'
import type { Json } from '../../../../core/contracts/json.ts'
import type { LeftOutReason } from '../../../../core/contracts/left-out-reasons.ts'
import { wordTurns } from '../../annotators/word-turns.ts'
import type { Attempt } from '../../attempt.ts'
import type { DatasetKind, FoundRow } from '../../kind.ts'
import { pathTo } from '../../path-to.ts'
import { type SeenPictures, seenHead, seenPictures } from '../../seen-pictures.ts'
import { explorationExamples, type FormattedTurn } from './exploration-examples.ts'
import { type ExplorationParameters, explorationParameters } from './exploration-parameters.ts'
import { formatTurn, headWithRestoreRule } from './format-turn.ts'
import { type LinearizedSearch, linearizeAttempt } from './linearize-attempt.ts'

/**
 * Exploratory learning: a successful search rendered as one episode. The episode tries actions, assesses states in
 * the words of the search's own judges, and goes back. Each of its turns is an example.
 */
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
      const { pictures, shown, message } = turn
      return { node, shown, text: message, ...(pictures && { pictures }) }
    })
}
