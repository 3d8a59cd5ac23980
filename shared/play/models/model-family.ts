import type { ModelChoice } from '../../core/contracts/model-choice.ts'

export interface ModelFamily {
  /** OpenAI's reasoning models: they accept only `max_completion_tokens` for the maximum answer. */
  reasons: boolean
  /** False if the family accepts only 1 for temperature and top_p. */
  samples: boolean
}

/**
 * True for OpenAI's models that charge for input written to their cache: gpt-5.6 and later.
 *
 * Source: OpenAI's guide to prompt caching, June 2026.
 */
export function chargesWrites(id: string): boolean {
  const name = (id.split('/').at(-1) ?? id).replace(/^ft:/, '').toLowerCase()
  const [, major, minor = '0'] = /^gpt-(\d+)(?:\.(\d+))?(?![a-z0-9.])/.exec(name) ?? []
  return major !== undefined && (Number(major) > 5 || (Number(major) === 5 && Number(minor) >= 6))
}

/**
 * OpenAI's o-series and gpt-5 family, also behind a provider's prefix (`openai/o3`) or fine-tuned (`ft:o4-mini:…`).
 *
 * Source: OpenAI's guide to reasoning models and "Using GPT-5.2": temperature and top_p are refused, but by gpt-5.1
 * and later with `reasoning_effort: none`; `gpt-5-chat` does not reason.
 */
export function familyOf({
  id,
  reasoning_effort,
}: Pick<ModelChoice, 'id' | 'reasoning_effort'>): ModelFamily {
  const name = (id.split('/').at(-1) ?? id).replace(/^ft:/, '').toLowerCase()
  const reasons = /^(o[1-9]\d*|gpt-5(\.\d+)?)(?![a-z0-9.])/.test(name) && !/^gpt-5(\.\d+)?-chat/.test(name)
  const thinksNot = /^gpt-5\.\d/.test(name) && reasoning_effort === 'none'
  return { reasons, samples: !reasons || thinksNot }
}
