import type { CallFailure } from './call-failure.ts'

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

/** Fields and turns that endpoints refuse, each with the setting that omits or changes it. The first match holds. */
const refusals: readonly (readonly [words: RegExp, advice: string])[] = [
  [
    /temperature.*top[_-]?p|top[_-]?p.*temperature/is,
    'Set sampling to "temperature" or "top_p" for this endpoint, and the other to 1 in the run; or, for a model that takes neither, set sampling to false.',
  ],
  [
    /temperature|top_p/,
    'Where this model takes only its own temperature and top_p, set sampling to false for this endpoint.',
  ],
  [
    /reasoning_effort|reasoning effort/i,
    'Give reasoning_effort a word that this model knows, or leave it out.',
  ],
  [
    /max_completion_tokens|max_tokens/,
    "Lower max_tokens of the run's model where it is too large, or set max_tokens_field for this endpoint to the name that it knows.",
  ],
  [
    /system (role|message|prompt|instruction)|role.{0,20}system|developer (role|instruction)/i,
    'For a model without a system role, set system to "user" for this endpoint: the system text then begins the first turn of the user.',
  ],
  [
    /alternat|consecutive|same role|roles? must/i,
    'For a model that demands that roles alternate, set alternate to true for this endpoint, and system to "user" if it knows no system role.',
  ],
  [
    /\bstop\b|stop_sequences/i,
    'Set stop to false for this endpoint: answers are cut at the stop texts all the same.',
  ],
  [/\bseed\b/i, 'Set seed to false for this endpoint.'],
  [/\bstream(ing)?\b/i, 'For an endpoint that answers only as a stream, set stream to true.'],
]

export function samplingAdvice({ said, status }: CallFailure, choices: number): string | null {
  if (!isInvalid(status)) return null
  const found = refusals.find(([words]) => words.test(said))
  if (found !== undefined) return found[1]
  if (choices === 1) return null
  return `Check the request. ${choices} choices were asked for at once: where the endpoint gives fewer, set max_choices for it.`
}

/** Recognizes an endpoint's refusal of temperature together with top_p. It may accept either alone. */
export function refusesPair({ said, status }: CallFailure): boolean {
  return isInvalid(status) && /temperature/i.test(said) && /top[_-]?p/i.test(said)
}

export function refusesField({ said, status }: CallFailure, words: RegExp): boolean {
  return isInvalid(status) && words.test(said)
}

function isInvalid(status: number | null): boolean {
  return status === 400 || status === 422
}
