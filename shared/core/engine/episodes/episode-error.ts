import type { EpisodeError } from '../../contracts/episode.ts'
import { type ErrorCode, EspalierError } from '../../contracts/errors.ts'
import { clipText } from '../../contracts/well-formed.ts'

const longestMessage = 2000
const transientCodes = new Set<ErrorCode>(['storage_failed', 'host_timed_out'])

export function toEpisodeError(error: unknown, effect: string | null): EpisodeError {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) }
  const code = EspalierError.isInstance(error) ? { code: error.code } : {}
  return { name: cut(name, 200), message: cut(message, longestMessage), effect, ...code }
}

export function isIrreproducible({ code, message }: EpisodeError): boolean {
  if (code !== undefined) return code === 'replay_diverged'
  return /^The environment answered .* differently on replay: "/s.test(message)
}

export function isTransient(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isTransient)
  if (typeof error === 'object' && error !== null && 'transient' in error) return error.transient === true
  return EspalierError.isInstance(error) && transientCodes.has(error.code)
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${clipText(text, length)}… (${text.length} characters)`
}

export function callsNeverFit(turns: number): EpisodeError {
  const message = `The episode was taken up ${turns} times in a row and got no further: each time a call took so long that the end of its worker's time cut it off. Lower max_tokens or the endpoint's timeout, or play the run with long-lived workers where the deployment has any ("workers": "fargate").`
  return { name: 'NoProgress', message, effect: null }
}

export function divergedAgain(message: string): EpisodeError {
  return { name: 'Diverged', message: `${message} It did so again after starting afresh.`, effect: null }
}
