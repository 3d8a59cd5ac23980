import { describe, expect, test } from 'vitest'
import type { Json } from '../../../../shared/core/contracts/json.ts'
import type { Tree } from '../../../../shared/core/contracts/tree.ts'
import { seededRandom } from '../../../../shared/core/random/seeded-random.ts'
import type { AnnotationQuestion } from '../../../../shared/data/datasets/annotator.ts'
import { askAboutStep } from '../../../../shared/data/datasets/annotators/judge-step-prompt.ts'
import { judgeSteps } from '../../../../shared/data/datasets/annotators/judge-steps.ts'
import { readActionJudgement } from '../../../../shared/data/datasets/annotators/read-action-judgement.ts'
import type { Attempt } from '../../../../shared/data/datasets/attempt.ts'
import { revisionParameters } from '../../../../shared/data/datasets/kinds/revision/revision-parameters.ts'
import { estimatePromptTokens } from '../../../../shared/play/models/estimate-tokens.ts'
import { estimatingCounter } from '../../../../shared/play/models/token-counter.ts'
import { attemptOf } from '../../../builders/attempts.ts'
import { pathOf, rootNode, treeNode, treeOf } from '../../../builders/trees.ts'

/** What is asked about a tree, and what is kept, where the model answers so about the last action. */
async function annotate(
  tree: Tree,
  answer: (action: string) => string,
  parameters: object = {},
  facts: Partial<Attempt> = {},
) {
  const asked: AnnotationQuestion[] = []
  const kept = new Map<string, Json>()
  await judgeSteps(revisionParameters.parse(parameters)).annotate(
    {
      maxPromptTokens: 32_000,
      counter: estimatingCounter,
      async ask(question) {
        asked.push(question)
        const actions = [...(question.messages[0]?.content ?? '').matchAll(/^Action: (.*)$/gm)]
        return answer(actions.at(-1)?.[1] ?? '')
      },
      async keep(key, value) {
        kept.set(key, value)
      },
      random: (key) => seededRandom('test', key),
    },
    attemptOf(tree, facts),
  )
  return { keys: asked.map(({ key }) => key).toSorted(), asked, kept }
}

const ended = { done: true, terminal: true }
/** One good way (1, 2), and two bad ones that share their first steps (3, 4). */
const tree = treeOf(2, [
  rootNode,
  treeNode(0, 'cut'),
  treeNode(1, 'craft', { reward: 1, ...ended }),
  treeNode(0, 'burn'),
  treeNode(3, 'stir'),
  treeNode(4, 'sell', ended),
  treeNode(4, 'throw', ended),
])

describe('each bad path is judged', () => {
  test('from its first action to its end, what paths share only once', async () => {
    const { keys, kept } = await annotate(tree, () => 'Judgement: Good')
    expect(keys).toEqual(['judge/3', 'judge/4', 'judge/5', 'judge/6'])
    expect(kept.get('pairs')).toEqual([
      [2, 5],
      [2, 6],
    ])
  })

  test('until a step is found to be bad', async () => {
    const { keys } = await annotate(tree, (action) => `Judgement: ${action === 'stir' ? 'Bad' : 'Uncertain'}`)
    expect(keys).toEqual(['judge/3', 'judge/4'])
  })

  test('only for the pairs that are drawn', async () => {
    const { keys, kept } = await annotate(tree, () => 'Judgement: Good', { max_per_tree: 1 })
    expect(kept.get('pairs')).toHaveLength(1)
    expect(keys).toHaveLength(3)
  })

  test('and nothing is asked of an attempt that money or time ended: it gives no row', async () => {
    const { keys } = await annotate(tree, () => 'Judgement: Good', {}, { reward: null, status: 'limited' })
    expect(keys).toEqual([])
  })

  test('and nothing is asked of a tree without a pair', async () => {
    const { keys, kept } = await annotate(pathOf(['cut', 'craft']), () => '')
    expect(keys).toEqual([])
    expect(kept.get('pairs')).toEqual([])
  })
})

describe('the question about a step', () => {
  test('shows the task, all that came before, and the action with its answer', async () => {
    const [question] = await askAboutStep(tree, [0, 3, 4], 32_000)
    expect(question?.content).toContain(
      `--- Environment, start
You see a log.
--- Agent, turn 1
Action: burn
--- Environment, turn 1
saw burn
--- Agent, turn 2
Action: stir
--- Environment, turn 2
saw stir

Judge what the agent did in turn 2.`,
    )
    expect(question?.content).toMatch(/Judgement: <Good, Bad or Uncertain>$/)
  })

  test('leaves out the oldest turns where it is too long, and says so', async () => {
    const actions = Array.from({ length: 30 }, (_, step) => `step ${step} ${'x'.repeat(60)}`)
    const path = Array.from({ length: 31 }, (_, position) => position)
    const whole = estimatePromptTokens(await askAboutStep(pathOf(actions), path, 1e6))
    const messages = await askAboutStep(pathOf(actions), path, whole / 2)
    expect(estimatePromptTokens(messages)).toBeLessThanOrEqual(whole / 2)
    const content = messages[0]?.content ?? ''
    const leftOut = Number(/--- (\d+) turns are left out here/.exec(content)?.[1])
    expect(content.match(/^--- Agent, turn \d+$/gm)).toEqual(
      Array.from({ length: 30 - leftOut }, (_, index) => `--- Agent, turn ${leftOut + index + 1}`),
    )
    expect(content).toContain('You see a log.')
    // One turn more would not have fitted.
    expect(estimatePromptTokens(messages)).toBeGreaterThan(whole / 2 - 100)
  })

  test('never leaves out the action that is judged', async () => {
    const [question] = await askAboutStep(tree, [0, 3, 4], 1)
    expect(question?.content).toContain('--- 1 turns are left out here')
    expect(question?.content).toContain('Action: stir')
  })
})

test.each([
  ['Reasons: it is good.\nJudgement: Bad', 'bad'],
  ['Reasons: a bad one.\nJudgement: Good', 'good'],
  ['Judgement: Bad\nNo, on second thought:\nJudgement: **UNCERTAIN**', 'uncertain'],
  ['Reasons: hard to say.\njudgment: Bad.', 'bad'],
  ['That was a Good step.', 'good'],
  ['I am uncertain.', 'uncertain'],
  ['No idea.', 'bad'],
  ['', 'uncertain'],
  [' \n', 'uncertain'],
])('the answer %j is read as %s', (answer, judgement) => {
  expect(readActionJudgement(answer)).toBe(judgement)
})
