export type Judgement = 'good' | 'uncertain' | 'bad'

/**
 * What an answer says of an action: what stands after its last `Judgement:`, or all of it where there is none. Only what names
 * it neither good nor uncertain condemns it. An answer without a word, as of a model that spent its tokens on thinking, is no
 * judgement, and condemns nothing.
 *
 * @see Yuan et al. 2025, Agent-R (arXiv 2501.11425), `path_collection.py`, which reads answers so
 */
export function readJudgement(answer: string): Judgement {
  if (answer.trim() === '') return 'uncertain'
  const verdict =
    answer
      .split(/judge?ment:/i)
      .at(-1)
      ?.toLowerCase() ?? ''
  if (verdict.includes('uncertain')) return 'uncertain'
  return verdict.includes('good') ? 'good' : 'bad'
}
