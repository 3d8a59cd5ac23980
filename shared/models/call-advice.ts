import type { CallFailure } from './call-failure.ts'

/** What a user can do about a call that failed, whatever was asked. */
export function adviceFor(failure: CallFailure, model: string): string {
  if (failure.status === 401 || failure.status === 403) return 'Check the key of this endpoint.'
  if (failure.status === 404) return `Check base_url and that it serves the model "${model}".`
  if (failure.status === 429) {
    return failure.transient
      ? 'Lower max_parallel or max_concurrency, or try later.'
      : 'Check the plan and credit of this key.'
  }
  if (failure.status === 200) return 'Check base_url; most servers want it to end in /v1.'
  if (failure.unreachable) return 'Check base_url and that the server is running.'
  return failure.transient ? 'Try again later, or raise timeout.' : 'Check the request and the endpoint.'
}

/** What a user can do where an endpoint refuses what chats are sampled with; null for every other failure. */
export function samplingAdvice(failure: CallFailure, choices: number): string | null {
  if (failure.status !== 400 && failure.status !== 422) return null
  if (/temperature|top_p/.test(failure.said)) {
    return 'Where this model takes only its own temperature and top_p, set sampling to false for this endpoint.'
  }
  if (/reasoning_effort|reasoning effort/i.test(failure.said)) {
    return 'Give reasoning_effort a word that this model knows, or leave it out.'
  }
  if (/max_completion_tokens|max_tokens/.test(failure.said)) {
    return "Lower max_tokens of the run's model where it is too large, or set max_tokens_field for this endpoint to the name that it knows."
  }
  if (choices === 1) return null
  return `Check the request. ${choices} choices were asked for at once: where the endpoint gives fewer, set max_choices for it.`
}
