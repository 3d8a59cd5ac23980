import { readAnswers, readChecks } from '../read-answers.ts'
import type { SearchScope } from '../search-scope.ts'
import { meanStatus, readStatus, type StatusScale, statusScales } from './statuses.ts'
import { type Advise, noAdvice, onceForEach, type ValueFunction } from './value-function.ts'
import { judgePrompts, showChecks } from './value-prompts.ts'

export interface JudgeSettings {
  verdicts: number
  rubric: boolean
  scale: StatusScale
}

/**
 * A single judge: the mean of several verdicts on the path to a node. With a rubric, it first writes the checks for
 * this task, once.
 *
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052): the value function of a single agent, with a rubric
 */
export function judge(
  scope: SearchScope,
  { verdicts, rubric, scale }: JudgeSettings,
  advise: Advise = noAdvice,
): ValueFunction {
  const { prompts, rules, tree } = scope
  const introduction = {
    role: 'system' as const,
    content: prompts.fill(judgePrompts.introduction, { rules }),
  }
  let writing: Promise<string> | null = null

  async function writeChecks(): Promise<string> {
    const transcript = await scope.transcript(tree.root, 'value')
    const advice = await advise(tree.root)
    const content = prompts.fill(judgePrompts.rubric, { transcript, advice })
    const pictures = scope.pictures(tree.root, 'value')
    const messages = [introduction, { role: 'user' as const, content, ...pictures }]
    const [checks = ''] = await readAnswers(
      scope,
      { key: 'value/checks', role: 'value', messages },
      readChecks,
    )
    return checks
  }

  return onceForEach(statusScales[scale].E, async (node) => {
    if (rubric) writing ??= writeChecks()
    const checks = (await writing) ?? ''
    const advice = rubric ? '' : await advise(node)
    const transcript = await scope.transcript(node, 'value')
    const content = prompts.fill(judgePrompts.question, { transcript, checks: showChecks(checks), advice })
    const messages = [introduction, { role: 'user' as const, content, ...scope.pictures(node, 'value') }]
    const question = {
      key: `node/${node.index}/value/verdicts`,
      role: 'value' as const,
      messages,
      n: verdicts,
    }
    const statuses = await readAnswers(scope, question, readStatus)
    return { value: meanStatus(statuses, scale), account: checks === '' ? null : { checks } }
  })
}
