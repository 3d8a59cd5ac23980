import type { BudgetKind } from '../../../core/contracts/curve.ts'
import { addUsage, noUsage, type Usage } from '../../../core/contracts/usage.ts'
import type { JournalRecord } from '../../../core/engine/journal-record.ts'
import { SearchTree } from '../../../play/search/tree.ts'
import type { TreeEntry } from '../../../play/search/tree-entry.ts'

export interface AnswerStep {
  spent: number
  reward: number
  success: boolean
}

export interface AnswerSteps {
  /** Each change of the answer, by the amount spent until then. Before the first, there is no answer: reward 0. */
  steps: AnswerStep[]
  first: number
  total: number
}

/**
 * Folds a journal call by call, and records the answer as if the episode had stopped there: the tree of the entries
 * up to then has one ({@link SearchTree.best}). Calls committed together count together.
 * @returns null if nothing was played, or if the money spent is unknown
 */
export function readAnswerSteps(records: readonly JournalRecord[], over: BudgetKind): AnswerSteps | null {
  let tree: SearchTree | null = null
  let usage = noUsage
  let first: number | null = null
  const steps: AnswerStep[] = []
  const note = (): void => {
    const spent = spentOf(usage, over)
    if (tree === null || spent === null) return
    const { reward } = tree.best
    const success = tree.isSolved
    const last = steps.at(-1)
    if ((last?.reward ?? 0) === reward && (last?.success ?? false) === success) return
    if (last?.spent === spent) steps.pop()
    steps.push({ spent, reward, success })
  }
  for (const record of records) {
    if ('entry' in record) {
      const entry = record.entry as TreeEntry
      if ('open' in entry) tree = new SearchTree(entry)
      else tree?.apply(entry)
    } else if ('effect' in record && record.usage !== undefined) {
      note()
      usage = addUsage(usage, record.usage)
      first ??= spentOf(usage, over)
    }
  }
  note()
  const total = spentOf(usage, over)
  return tree === null || total === null ? null : { steps, first: first ?? total, total }
}

export function answerAt({ steps }: Pick<AnswerSteps, 'steps'>, budget: number): Omit<AnswerStep, 'spent'> {
  return steps.findLast(({ spent }) => spent <= budget) ?? { reward: 0, success: false }
}

function spentOf({ model_calls, input_tokens, output_tokens, cost }: Usage, over: BudgetKind): number | null {
  if (over === 'calls') return model_calls
  return over === 'tokens' ? input_tokens + output_tokens : cost
}
