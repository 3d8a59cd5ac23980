import { debatePrompts } from '../prompts/debate-prompts.ts'
import { readAnswers } from '../read-answers.ts'
import type { SearchScope } from '../search-scope.ts'
import type { DebateSettings } from './debate.ts'
import { meanStatus } from './mean-value.ts'
import { readStatus } from './read-status.ts'
import { statusScales } from './status-scales.ts'
import { onceForEach, type ValueFunction } from './value-function.ts'

/**
 * A debate of one: each answer says what was done, what speaks for it and what against it, and then gives its verdict. The value
 * is the mean of all verdicts. It keeps no account of opinions, so that nothing is reflected on for it.
 *
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), its code for OSWorld: `sad_value_func`
 */
export function singleDebate(scope: SearchScope, { verdicts, scale }: DebateSettings): ValueFunction {
  const { prompts, rules } = scope
  const introduction = {
    role: 'system' as const,
    content: prompts.fill(debatePrompts.introduction, { rules }),
  }
  return onceForEach(statusScales[scale].E, async (node) => {
    const transcript = scope.transcript(node, 'value')
    const content = prompts.fill(debatePrompts.alone, { transcript })
    const question = {
      key: `node/${node.index}/value/verdicts`,
      role: 'value' as const,
      messages: [introduction, { role: 'user' as const, content }],
      n: verdicts,
    }
    const statuses = await readAnswers(scope, question, readStatus)
    return { value: meanStatus(statuses, scale), account: null }
  })
}
