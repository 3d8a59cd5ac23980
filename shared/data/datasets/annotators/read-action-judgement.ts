import { withoutReasoning } from '../../../play/answers/reasoning.ts'

export type ActionJudgement = 'good' | 'uncertain' | 'bad'

/**
 * Reads the judgement in an answer, outside its reasoning: the text after its last `Judgement:`, or all of it without
 * one. A text that names neither good nor uncertain is `bad`. An empty answer, as of a model that spent its tokens on
 * thinking, is `uncertain`.
 *
 * @see Yuan et al. 2025, Agent-R (arXiv 2501.11425), `path_collection.py`, which reads answers so
 */
export function readActionJudgement(answer: string): ActionJudgement {
  const said = withoutReasoning(answer)
  if (said.trim() === '') return 'uncertain'
  const verdict =
    said
      .split(/judge?ment[ \t*_`"']*[:：]/i)
      .at(-1)
      ?.toLowerCase() ?? ''
  if (verdict.includes('uncertain')) return 'uncertain'
  return verdict.includes('good') ? 'good' : 'bad'
}
