import type { Tree } from '../../../core/contracts/tree.ts'
import type { AnnotationScope, Annotator } from '../annotator.ts'
import { choosePairs, type EndPair } from '../kinds/revision/choose-pairs.ts'
import { type RevisionParameters, thresholdsOf } from '../kinds/revision/revision-parameters.ts'
import { treeEnds } from '../kinds/revision/tree-ends.ts'
import { pathTo } from '../path-to.ts'
import { seenPictures } from '../seen-pictures.ts'
import { askAboutStep } from './judge-step-prompt.ts'
import { type ActionJudgement, readActionJudgement } from './read-action-judgement.ts'

/** Minimum length of an answer to allow, in tokens: the reference allows as much. */
const answerTokens = 500

export const judgedKeys = { pairs: 'pairs', node: (node: number) => `judge/${node}` }

/**
 * Draws the pairs of a tree, and judges the bad path of each from its first action on, until an action is bad. Shared
 * nodes are judged once.
 *
 * @see Yuan et al. 2025, Agent-R (arXiv 2501.11425), section 3.2: the actor's own judgement finds the transition
 * point
 */
export function judgeSteps(parameters: RevisionParameters): Annotator {
  const { max_per_tree: most } = parameters
  const { alpha, beta } = thresholdsOf(parameters)
  return {
    id: 'judge-steps',
    async annotate(scope, attempt) {
      const tree = await attempt.tree()
      const ends = treeEnds(tree, { ...parameters, alpha }, seenPictures(attempt, { pictures: 'show' }))
      // An attempt ended by a limit on money or time yields no row, so it needs no questions.
      const pairs =
        attempt.reward === null ? [] : [...choosePairs(ends, { beta, most }, scope.random(judgedKeys.pairs))]
      await scope.keep(
        judgedKeys.pairs,
        pairs.map(({ good, bad }) => [good, bad]),
      )
      await judgePaths(scope, tree, pairs)
    },
  }
}

async function judgePaths(scope: AnnotationScope, tree: Tree, pairs: readonly EndPair[]): Promise<void> {
  const judgements = new Map<number, Promise<ActionJudgement>>()

  async function judge(path: readonly number[]): Promise<ActionJudgement> {
    const messages = await askAboutStep(tree, path, scope.maxPromptTokens, scope.counter)
    const key = judgedKeys.node(path.at(-1) as number)
    return readActionJudgement(await scope.ask({ key, messages, answerTokens }))
  }

  async function walk(bad: number): Promise<void> {
    const path = pathTo(tree, bad)
    for (let length = 2; length <= path.length; length += 1) {
      const node = path[length - 1] as number
      const judgement = judgements.get(node) ?? judge(path.slice(0, length))
      judgements.set(node, judgement)
      if ((await judgement) === 'bad') return
    }
  }

  await Promise.all([...new Set(pairs.map(({ bad }) => bad))].map(walk))
}
