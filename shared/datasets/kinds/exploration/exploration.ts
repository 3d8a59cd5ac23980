import { z } from 'zod'
import type { ConversationRow } from '../../../contracts/dataset-row.ts'
import type { Json } from '../../../contracts/json.ts'
import { voiceSearch } from '../../annotators/voice-search.ts'
import type { Attempt } from '../../attempt.ts'
import type { DatasetKind, FoundRow } from '../../kind.ts'
import type { LeftOutReason } from '../../left-out-reasons.ts'
import { pathTo } from '../../path-to.ts'
import { explorationExamples, type SpokenTurn } from './exploration-examples.ts'
import { type ExplorationParameters, explorationParameters } from './exploration-parameters.ts'
import { headWithRestoreRule, speakTurn } from './speak-turn.ts'
import { type ToldAttempt, tellAttempt } from './tell-attempt.ts'

/**
 * Exploratory learning: a successful search told as one episode that tries, takes stock in the words of the search's own
 * judges, and goes back; each of its turns is an example.
 */
export const exploration: DatasetKind<ExplorationParameters, ConversationRow> = {
  id: 'exploration',
  description:
    'Searches told as one episode with explicit steps back and the value of each state in words; a row for each turn, which alone is learned.',
  source:
    'Yu et al. 2024, ExACT (arXiv 2410.02052), exploratory learning; traversals from the journal, texts of turns by Espalier',
  rowType: 'conversation',
  parameters: explorationParameters,
  annotator: (parameters) => (asksModel(parameters) ? voiceSearch(parameters) : null),
  async *rows({ attempts }, parameters, { signal }) {
    for (const attempt of attempts) {
      signal?.throwIfAborted()
      const found = await findRows(attempt, parameters)
      if (typeof found === 'string') yield { attempt, left_out: found }
      else yield* found
    }
  },
}

async function findRows(
  attempt: Attempt,
  parameters: ExplorationParameters,
): Promise<FoundRow<ConversationRow>[] | LeftOutReason> {
  const told = await tellAttempt(attempt, parameters)
  if (typeof told === 'string') return told
  const turns = await speak(attempt, told, parameters)
  if (typeof turns === 'string') return turns
  const { tree } = told
  const head = parameters.imitation ? tree.messages : headWithRestoreRule(tree, parameters.restore_action)
  const examples = [...explorationExamples(head, turns, parameters.max_context)]
  return examples.map(({ row, node_ids }) => ({ row, origin: { attempt, node_ids } }))
}

function asksModel({ choose, rewrite, imitation }: ExplorationParameters): boolean {
  return !imitation && (choose === 'model' || rewrite === 'model')
}

async function speak(
  attempt: Attempt,
  told: ToldAttempt,
  parameters: ExplorationParameters,
): Promise<SpokenTurn[] | LeftOutReason> {
  if (parameters.imitation) return answerOf(told)
  if (!asksModel(parameters)) return told.turns.map((turn) => ({ ...turn, text: speakTurn(turn) }))
  const annotation = await attempt.annotation()
  const texts = told.turns.map((_, place) => voicedText(annotation?.get(`turn/${place}`)))
  if (texts.some((text) => text === null)) return 'not_asked'
  return told.turns.map((turn, place) => ({ ...turn, text: texts[place] as string }))
}

const voicedSchema = z.object({ text: z.string() })

function voicedText(kept: Json | undefined): string | null {
  return kept === undefined ? null : voicedSchema.parse(kept).text
}

/** The path to the answer, in the words in which it was played. */
function answerOf({ tree, turns }: ToldAttempt): SpokenTurn[] {
  return pathTo(tree, tree.best)
    .slice(1)
    .map((node) => {
      const turn = turns.find((each) => each.node === node && each.undone === 0)
      if (turn?.message == null) throw new Error(`The told search never comes to node ${node} of its answer.`)
      return { node, shown: turn.shown, text: turn.message }
    })
}
