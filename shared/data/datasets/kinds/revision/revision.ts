import type { ConversationRow, WeightedMessage } from '../../../../core/contracts/dataset-row.ts'
import type { Json } from '../../../../core/contracts/json.ts'
import type { LeftOutReason } from '../../../../core/contracts/left-out-reasons.ts'
import type { Tree } from '../../../../core/contracts/tree.ts'
import { choose } from '../../../../core/random/shuffled.ts'
import type { RowExplanation } from '../../../formats/trainer-format.ts'
import { judgedKeys, judgeSteps } from '../../annotators/judge-steps.ts'
import { type ActionJudgement, readActionJudgement } from '../../annotators/read-action-judgement.ts'
import type { Attempt } from '../../attempt.ts'
import type { DatasetKind, Finding, FoundRow, KindScope } from '../../kind.ts'
import { pathTo } from '../../path-to.ts'
import { type SeenPictures, seenPictures } from '../../seen-pictures.ts'
import { answerRows } from '../answer-rows.ts'
import { readTrees } from '../find-rows.ts'
import { choosePairs, type EndPair } from './choose-pairs.ts'
import { type RevisionParameters, revisionParameters, thresholdsOf } from './revision-parameters.ts'
import { renderWholePath, spliceRevision } from './splice-revision.ts'
import { type TreeEnds, treeEnds } from './tree-ends.ts'

export const revisionSentences = [
  'That was a mistake on my part, so I stop here and take another way.',
  'I see now that these steps lead nowhere, and I had better change my approach.',
  'What I just did does not serve the task. I will correct it.',
  'I misjudged this. Let me think again and choose better actions.',
  'This does not work as I expected, so I will try something else.',
  'I went wrong above; from here on I keep to what the task asks for.',
  'Looking back, that was not the right thing to do. I will put it right.',
  'I should not go on like this. I need a different plan.',
  'The answers show that I am off the track, so I will find my way back.',
  'I have made an error here and will go on in a better way.',
] as const

type LeftPair = EndPair & { firstError: number | null; judgements: RowExplanation['judgements'] }

export const revision: DatasetKind<RevisionParameters, ConversationRow> = {
  id: 'revision',
  description:
    'From one tree, a bad path up to its first error, a turn that notices it, and the good path from there on; the loss is on the notice and what follows.',
  source:
    'Yuan et al. 2025, Agent-R (arXiv 2501.11425), section 3: revision trajectories from Monte Carlo tree search, with the first error found by a model or, as its direct revision, at the end',
  rowType: 'conversation',
  parameters: revisionParameters,
  annotator: (parameters) => (parameters.first_error === 'verifier' ? judgeSteps(parameters) : null),
  async *rows({ attempts }, parameters, scope) {
    const wanted: Attempt[] = []
    for (const attempt of attempts) {
      if (attempt.reward === null) yield { attempt, left_out: 'no_reward' }
      else wanted.push(attempt)
    }
    const trees = readTrees(
      wanted,
      (tree, attempt) => {
        const rule = { ...parameters, ...thresholdsOf(parameters) }
        return { tree, ends: treeEnds(tree, rule, seenPictures(attempt, scope)) }
      },
      scope.signal,
    )
    for await (const { attempt, found } of trees) yield* findingsOf(attempt, found, parameters, scope)
  },
}

/** Yields row by row: all pairs may be the square of a tree's ends. */
async function* findingsOf(
  attempt: Attempt,
  { tree, ends }: { tree: Tree; ends: TreeEnds },
  parameters: RevisionParameters,
  scope: KindScope,
): AsyncGenerator<Finding<ConversationRow>> {
  const reason = whyNone(tree, ends)
  const pairs = reason === null ? await pairsOf(attempt, tree, ends, parameters, scope) : null
  if (pairs === null) {
    yield { attempt, left_out: reason ?? 'not_asked' }
    return
  }
  let isFound = false
  const seen = seenPictures(attempt, scope)
  const isShown = scope.pictures === 'show'
  for (const pair of pairs) {
    isFound = true
    const row = revise(attempt, tree, pair, seen, parameters, scope)
    if (isShown) yield* answerRows(row, seen ?? 0, 0)
    else yield row
  }
  if (parameters.include_good) {
    for (const end of ends.ends.slice(0, ends.good)) {
      const row = imitate(attempt, tree, end, seen)
      if (isShown) yield* answerRows(row, seen ?? 0, 2)
      else yield row
    }
  } else if (!isFound) {
    yield { attempt, left_out: 'no_worse_end' }
  }
}

function whyNone({ messages }: Tree, { good, unrenderable }: TreeEnds): LeftOutReason | null {
  if (good === 0) return unrenderable ?? 'no_good_end'
  return messages.length === 0 ? 'no_prompt' : null
}

async function pairsOf(
  attempt: Attempt,
  tree: Tree,
  ends: TreeEnds,
  parameters: RevisionParameters,
  scope: KindScope,
): Promise<Iterable<LeftPair> | null> {
  const { first_error, max_per_tree: most } = parameters
  const { beta } = thresholdsOf(parameters)
  if (first_error === 'end') {
    const random = scope.random(`pairs/${attempt.source}/${attempt.episode}`)
    return leave(choosePairs(ends, { beta, most }, random), () => ({ firstError: null, judgements: null }))
  }
  const answers = await attempt.annotation()
  return answers && leave(drawnPairs(answers), (pair) => judged(tree, pair, answers))
}

function* leave(
  pairs: Iterable<EndPair>,
  judge: (pair: EndPair) => Omit<LeftPair, keyof EndPair>,
): Generator<LeftPair> {
  for (const pair of pairs) yield { ...pair, ...judge(pair) }
}

function drawnPairs(answers: ReadonlyMap<string, Json>): EndPair[] {
  const drawn = answers.get(judgedKeys.pairs) as [number, number][]
  return drawn.map(([good, bad]) => ({ good, bad }))
}

function judged(
  tree: Tree,
  { bad }: EndPair,
  answers: ReadonlyMap<string, Json>,
): Omit<LeftPair, keyof EndPair> {
  const judgements: { answer: string; action: string; observation: string; judgement: string }[] = []
  const firstError = findFirstError(pathTo(tree, bad), (node) => {
    const answer = answers.get(judgedKeys.node(node))
    if (typeof answer !== 'string')
      throw new Error(`Node ${node} of the tree of ${tree.task} was not judged.`)
    const judgement = readActionJudgement(answer)
    const { action, observation } = tree.nodes[node] ?? { action: null, observation: [] }
    const texts = observation.map((part) => (part.type === 'text' ? part.text : ''))
    judgements.push({ answer, action: action ?? '', observation: texts.join('\n'), judgement })
    return judgement
  })
  return { firstError, judgements }
}

function revise(
  attempt: Attempt,
  tree: Tree,
  { firstError, judgements, ...pair }: LeftPair,
  seen: SeenPictures,
  { pause_action }: RevisionParameters,
  scope: KindScope,
): FoundRow<ConversationRow> {
  // Pairs with the same beginning and the same end draw the same sentence, so that their rows are equal and counted
  // as duplicates.
  const name = `sentence/${attempt.source}/${attempt.episode}/${firstError ?? pair.bad}/${pair.good}`
  const sentence = choose(revisionSentences, scope.random(name)) as string
  const { messages, bad, good } = spliceRevision(tree, pair, firstError, { sentence, pause_action }, seen)
  return {
    row: toRow(messages),
    origin: { attempt, node_ids: good, reward: rewardAt(tree, pair.good) },
    other: { attempt, node_ids: bad, reward: rewardAt(tree, pair.bad) },
    explained: {
      high: renderWholePath(tree, pair.good, seen),
      low: renderWholePath(tree, pair.bad, seen),
      judgements,
    },
  }
}

function imitate(
  attempt: Attempt,
  tree: Tree,
  { node, reward }: TreeEnds['ends'][number],
  seen: SeenPictures,
): FoundRow<ConversationRow> {
  return {
    row: toRow(renderWholePath(tree, node, seen)),
    origin: { attempt, node_ids: pathTo(tree, node), reward },
  }
}

/** A row ends with the model: the last observation was never answered. */
function toRow(messages: WeightedMessage[]): ConversationRow {
  return { type: 'conversation', messages: messages.slice(0, -1) }
}

function rewardAt({ nodes }: Tree, position: number): number {
  return nodes[position]?.reward ?? 0
}

export function findFirstError(
  path: readonly number[],
  judgementOf: (node: number) => ActionJudgement,
): number | null {
  return path.slice(1).find((node) => judgementOf(node) === 'bad') ?? null
}
