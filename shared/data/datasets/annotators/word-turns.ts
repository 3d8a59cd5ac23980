import { clipStart, clipText } from '../../../core/contracts/well-formed.ts'
import { readLabelled } from '../../../play/answers/read-labelled.ts'
import { withoutReasoning } from '../../../play/answers/reasoning.ts'
import { estimatingCounter, type TokenCounter } from '../../../play/models/token-counter.ts'
import { PromptBook } from '../../../play/search/prompt-book.ts'
import { definePrompt } from '../../../play/search/prompt-template.ts'
import { readAnswerAction } from '../../formats/answer-action.ts'
import type { AnnotationScope, Annotator } from '../annotator.ts'
import type { ExplorationParameters } from '../kinds/exploration/exploration-parameters.ts'
import { formatTurn, splitAnswer } from '../kinds/exploration/format-turn.ts'
import { linearizeAttempt, type SearchTurn } from '../kinds/exploration/linearize-attempt.ts'
import { seenPictures } from '../seen-pictures.ts'

export const wordingPrompts = {
  choose: definePrompt({
    id: 'wording-choose',
    purpose: 'Asks which of several judgements of a state fits what was done there.',
    text: `An agent works on this task:
<<<
{{task}}
>>>

It stands here:
<<<
{{shown}}
>>>

It goes on with this:
<<<
{{turn}}
>>>

Several have judged where it stands:
{{options}}

Which of the judgements agrees best with what the agent sees and with what it does next?

Answer in this form:
Reason: <one sentence>
Option: <the letter>`,
  }),
  rewrite: definePrompt({
    id: 'wording-rewrite',
    purpose: 'Asks for one coherent thought in the place of a turn that was put together from parts.',
    text: `An agent works on this task:
<<<
{{task}}
>>>

It stands here:
<<<
{{shown}}
>>>

Its next turn was put together from several texts:
<<<
{{turn}}
>>>

Write the turn again as the agent itself would: one thought in the first person, without a word about any agent seen from outside. It first takes stock of where it stands, in a way that leads to the action, and then says what comes next. Add no facts. Copy the action to the letter.

Answer in this form:
Thought: <the thought>
Action: <the same action>`,
  }),
} as const

export type WordedTurn = {
  text: string
  /** Index of the chosen reason for the state; null if none was requested or the answer was unreadable. */
  chosen: number | null
  /** `kept`: the answer had another action or no thought, so the turn is unchanged. */
  rewrite: 'taken' | 'kept' | 'not_asked'
}

const prompts = new PromptBook()
const letters = 'ABCDEFGHIJK'

/**
 * Asks a model for the wording of the turns of a linearized search: which of the judges' reasons fits the action
 * best, and the turn as one coherent thought. An unusable answer changes nothing.
 *
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), its code `tree_to_data`: choosing among at most 11 verdicts (A to
 * K), and rewriting accepted only if the action stays the same
 */
export function wordTurns(parameters: ExplorationParameters): Annotator {
  return {
    id: 'word-turns',
    async annotate(scope, attempt) {
      const search = await linearizeAttempt(attempt, parameters, seenPictures(attempt, { pictures: 'show' }))
      if (typeof search === 'string') return
      // The other text of the prompt is short, and the turns are as long as their model was allowed.
      const shorten = (text: string) => fitText(text, scope.maxPromptTokens / 4, scope.counter)
      const task = await shorten(search.tree.messages.findLast(({ role }) => role === 'user')?.content ?? '')
      await Promise.all(
        search.turns.map(async (turn, place) => {
          const shown = await shorten(turn.shown)
          const worded = await wordTurn(scope, { turn, place, task, shown }, parameters)
          await scope.keep(`turn/${place}`, worded)
        }),
      )
    },
  }
}

interface TurnQuestion {
  turn: SearchTurn
  place: number
  task: string
  shown: string
}

async function wordTurn(
  scope: AnnotationScope,
  question: TurnQuestion,
  { choose, rewrite }: ExplorationParameters,
): Promise<WordedTurn> {
  const { turn, place, task, shown } = question
  const chosen = choose === 'model' ? await chooseThought(scope, question) : null
  const assessment = chosen === null ? turn.assessment : (turn.thoughts[chosen] ?? null)
  const text = formatTurn({ ...turn, assessment })
  // A turn without an assessment is already the policy's own text; one without the marker has no action to compare.
  const isOpen = text !== turn.message && splitAnswer(text).action !== text
  if (rewrite === 'none' || !isOpen) return { text, chosen, rewrite: 'not_asked' }
  const content = prompts.fill(wordingPrompts.rewrite, { task, shown, turn: text })
  const answer = await scope.ask({ key: `rewrite/${place}`, messages: [{ role: 'user', content }] })
  const rewritten = takeThought(answer, text)
  return { text: rewritten ?? text, chosen, rewrite: rewritten === null ? 'kept' : 'taken' }
}

async function chooseThought(
  scope: AnnotationScope,
  { turn, place, task, shown }: TurnQuestion,
): Promise<number | null> {
  const thoughts = turn.thoughts.slice(0, letters.length)
  if (turn.assessment === null || thoughts.length < 2) return null
  const options = thoughts.map((thought, at) => `${letters[at]}) ${thought}`).join('\n')
  const content = prompts.fill(wordingPrompts.choose, {
    task,
    shown,
    turn: formatTurn({ ...turn, assessment: null }),
    options,
  })
  const answer = await scope.ask({ key: `choose/${place}`, messages: [{ role: 'user', content }] })
  const letter = /^[\s*_`"'(]*([A-K])(?![A-Za-z])/.exec(readLabelled(answer, 'Option') ?? '')?.[1]
  const at = letter === undefined ? -1 : letters.indexOf(letter)
  return at >= 0 && at < thoughts.length ? at : null
}

function takeThought(answer: string, draft: string): string | null {
  const said = withoutReasoning(answer).trim()
  const [written, { action }] = [splitAnswer(said), splitAnswer(draft)]
  if (written.thought === '' || readAnswerAction(said) !== readAnswerAction(draft)) return null
  return written.action.trim() === action.trim() ? said : `Thought: ${written.thought}\n${action}`
}

export async function fitText(
  text: string,
  maxTokens: number,
  counter: Pick<TokenCounter, 'ofText'> = estimatingCounter,
): Promise<string> {
  const tokens = await counter.ofText(text)
  if (tokens <= maxTokens) return text
  const kept = Math.floor((text.length * maxTokens) / tokens)
  const [start, end] = [clipText(text, Math.ceil(kept / 2)), clipStart(text, Math.floor(kept / 2))]
  const gap = `[${text.length - kept} characters are left out here]`
  return `${start}\n${gap}\n${end}`
}
