export interface CallSettings {
  temperature?: number
  top_p?: number
  max_tokens?: number
  stop?: string[]
  reasoning_effort?: string
  logprobs?: boolean
}

export type TokenLogprob = { text: string | null; id: number | null; logprob: number | null }
