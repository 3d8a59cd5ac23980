import { readAnswers, readOpinion } from '../read-answers.ts'
import type { SearchScope } from '../search-scope.ts'
import { meanStatus, readStatus, type StatusScale, statusScales } from './statuses.ts'
import { type Advise, noAdvice, onceForEach, type ValueFunction } from './value-function.ts'
import { debatePrompts } from './value-prompts.ts'

export interface DebateSettings {
  verdicts: number
  scale: StatusScale
}

/**
 * A debate: one opinion for the last action and one against it, written concurrently, then verdicts that read the one
 * first and verdicts that read the other first. The value is the mean of all.
 *
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), multi-agent debate
 */
export function debate(
  scope: SearchScope,
  { verdicts, scale }: DebateSettings,
  advise: Advise = noAdvice,
): ValueFunction {
  const { prompts, rules } = scope
  const introduction = {
    role: 'system' as const,
    content: prompts.fill(debatePrompts.introduction, { rules }),
  }

  return onceForEach(statusScales[scale].E, async (node) => {
    const key = `node/${node.index}/value`
    const debated = await scope.transcript(node, 'debate')
    const seen = scope.pictures(node, 'debate')

    async function argue(side: 'support' | 'oppose'): Promise<string> {
      const content = prompts.fill(debatePrompts[side], { transcript: debated })
      const messages = [introduction, { role: 'user' as const, content, ...seen }]
      const [opinion = ''] = await readAnswers(
        scope,
        { key: `${key}/${side}`, role: 'debate', messages },
        readOpinion,
      )
      return opinion
    }

    const [support, oppose] = await Promise.all([argue('support'), argue('oppose')])
    const advice = await advise(node)
    const transcript = await scope.transcript(node, 'value')
    const pictures = scope.pictures(node, 'value')

    async function decide(first: string, second: string, order: string) {
      const content = prompts.fill(debatePrompts.verdict, { transcript, advice, first, second })
      const messages = [introduction, { role: 'user' as const, content, ...pictures }]
      const question = { key: `${key}/verdicts/${order}`, role: 'value' as const, messages, n: verdicts }
      return readAnswers(scope, question, readStatus)
    }

    const decided = await Promise.all([
      decide(support, oppose, 'support-first'),
      decide(oppose, support, 'oppose-first'),
    ])
    return { value: meanStatus(decided.flat(), scale), account: { support, oppose } }
  })
}

/**
 * A debate of one: each answer describes the actions, argues for and against the last one, and then decides. The
 * value is the mean of all verdicts. It keeps no account of opinions, so there is nothing to reflect on.
 *
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), its code for desktops: `sad_value_func`
 */
export function singleDebate(scope: SearchScope, { verdicts, scale }: DebateSettings): ValueFunction {
  const { prompts, rules } = scope
  const introduction = {
    role: 'system' as const,
    content: prompts.fill(debatePrompts.introduction, { rules }),
  }
  return onceForEach(statusScales[scale].E, async (node) => {
    const transcript = await scope.transcript(node, 'value')
    const content = prompts.fill(debatePrompts.alone, { transcript })
    const question = {
      key: `node/${node.index}/value/verdicts`,
      role: 'value' as const,
      messages: [introduction, { role: 'user' as const, content, ...scope.pictures(node, 'value') }],
      n: verdicts,
    }
    const statuses = await readAnswers(scope, question, readStatus)
    return { value: meanStatus(statuses, scale), account: null }
  })
}
