import { observationText } from '../../search/conversation.ts'
import { orNone } from '../../search/read-answers.ts'
import type { SearchNode } from '../../search/tree.ts'
import type { LearnScope } from '../method-scope.ts'
import type { DraftAction } from './draft-action.ts'
import type { LearnactParameters } from './learnact-parameters.ts'
import type { Learner } from './learner.ts'

export type LearningVariant = NonNullable<LearnactParameters['variant']>

/**
 * Creation: writes sets of actions concurrently, each from the beginning of the same task. Leaves out a set that
 * cannot be created.
 *
 * @see Zhao et al. 2024, LearnAct (arXiv 2402.15809)
 */
export async function createActions(
  scope: LearnScope,
  learner: Learner,
  start: SearchNode,
  {
    candidates,
    tries,
    variant,
  }: Pick<LearnactParameters, 'candidates' | 'tries'> & { variant: LearningVariant },
): Promise<DraftAction[][]> {
  const making = Array.from({ length: candidates }, (_, candidate) =>
    orNone(createSet(scope, learner, start, { candidate, tries, variant })),
  )
  return (await Promise.all(making)).filter((set) => set !== null)
}

async function createSet(
  { prompts: book }: LearnScope,
  learner: Learner,
  start: SearchNode,
  { candidate, tries, variant }: { candidate: number; tries: number; variant: LearningVariant },
): Promise<DraftAction[] | null> {
  const key = `create/${candidate}`
  const observation = observationText(start.observation)
  const { prompts } = learner
  const request = book.fill(prompts[variant], {})
  const messages = learner.asking(book.fill(prompts.create, { observation, request }))
  const asked = `${key}/functions`
  const answer = await learner.ask(asked, messages)
  const functions = await learner.write({ key, start, known: [], messages, asked, answer, tries })
  if (functions === null) return null
  const [usage, ...descriptions] = await Promise.all([
    learner.showUse(key, start, functions),
    ...functions.map((written) => learner.describe(key, written)),
  ])
  return functions.map(({ name, parameters, code }, place) => ({
    name,
    parameters,
    code,
    ...learner.marked,
    description: descriptions[place] as string,
    usage,
    notes: [],
    lineage: [{ round: 0, candidate, change: 'created', reason: null }],
  }))
}
