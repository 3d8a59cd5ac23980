import { PromptBook } from '../../prompts/prompt-book.ts'
import { readLabelled } from '../../search/values/read-labelled.ts'
import type { AnnotationScope, Annotator } from '../annotator.ts'
import type { ExplorationParameters } from '../kinds/exploration/exploration-parameters.ts'
import { speakTurn, splitAnswer } from '../kinds/exploration/speak-turn.ts'
import { type ToldTurn, tellAttempt } from '../kinds/exploration/tell-attempt.ts'
import { fitText } from './fit-text.ts'
import { voicePrompts } from './voice-prompts.ts'

/** What is kept of a turn: its text, and what became of the answers. */
export type VoicedTurn = {
  text: string
  /** Which of the reasons given for the state was chosen; null where none was asked for or the answer could not be read. */
  chosen: number | null
  /** `kept`: the answer had another action or no thought, so that the turn stays as it was. */
  rewrite: 'taken' | 'kept' | 'not_asked'
}

const prompts = new PromptBook()
const letters = 'ABCDEFGHIJK'

/**
 * Asks a model how the turns of a told search should sound: which of the judges' reasons fits the action best, and how the
 * turn reads as one thought. An answer that cannot be used changes nothing.
 *
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), its code `tree_to_data`: choosing among at most 11 verdicts (A to K), and
 * rewriting that is accepted only where the action is the same
 */
export function voiceSearch(parameters: ExplorationParameters): Annotator {
  return {
    id: 'voice-search',
    async annotate(scope, attempt) {
      const told = await tellAttempt(attempt, parameters)
      if (typeof told === 'string') return
      // The rest of the prompt is short, and the turns are as long as the model that wrote them was allowed.
      const shorten = (text: string) => fitText(text, scope.maxPromptTokens / 4)
      const task = shorten(told.tree.messages.findLast(({ role }) => role === 'user')?.content ?? '')
      await Promise.all(
        told.turns.map(async (turn, place) => {
          const voiced = await voice(scope, { turn, place, task, shown: shorten(turn.shown) }, parameters)
          await scope.keep(`turn/${place}`, voiced)
        }),
      )
    },
  }
}

interface Voicing {
  turn: ToldTurn
  place: number
  task: string
  shown: string
}

async function voice(
  scope: AnnotationScope,
  voicing: Voicing,
  { choose, rewrite }: ExplorationParameters,
): Promise<VoicedTurn> {
  const { turn, place, task, shown } = voicing
  const chosen = choose === 'model' ? await chooseThought(scope, voicing) : null
  const stock = chosen === null ? turn.stock : (turn.thoughts[chosen] ?? null)
  const text = speakTurn({ ...turn, stock })
  // A turn that nothing was added to is the policy's own already; one without its form has no action to hold on to.
  const isOpen = text !== turn.message && splitAnswer(text).action !== text
  if (rewrite === 'none' || !isOpen) return { text, chosen, rewrite: 'not_asked' }
  const content = prompts.fill(voicePrompts.rewrite, { task, shown, turn: text })
  const answer = await scope.ask({ key: `rewrite/${place}`, messages: [{ role: 'user', content }] })
  const isUsable = saysTheSame(answer, text)
  return { text: isUsable ? answer.trim() : text, chosen, rewrite: isUsable ? 'taken' : 'kept' }
}

async function chooseThought(
  scope: AnnotationScope,
  { turn, place, task, shown }: Voicing,
): Promise<number | null> {
  const thoughts = turn.thoughts.slice(0, letters.length)
  if (turn.stock === null || thoughts.length < 2) return null
  const options = thoughts.map((thought, at) => `${letters[at]}) ${thought}`).join('\n')
  const content = prompts.fill(voicePrompts.choose, {
    task,
    shown,
    turn: speakTurn({ ...turn, stock: null }),
    options,
  })
  const answer = await scope.ask({ key: `choose/${place}`, messages: [{ role: 'user', content }] })
  const letter = /^[\s*_`"'(]*([A-K])(?![A-Za-z])/.exec(readLabelled(answer, 'Option') ?? '')?.[1]
  const at = letter === undefined ? -1 : letters.indexOf(letter)
  return at >= 0 && at < thoughts.length ? at : null
}

/** Whether a rewritten turn has the same action, to the letter, and a thought before it. */
function saysTheSame(answer: string, text: string): boolean {
  const [written, draft] = [splitAnswer(answer), splitAnswer(text)]
  return written.thought !== '' && written.action.trim() === draft.action.trim()
}
