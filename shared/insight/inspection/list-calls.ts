import type { EpisodeCall, EpisodeCalls } from '../../core/contracts/episode-calls.ts'
import { placeOf } from './call-place.ts'
import type { ReadEpisode } from './episode-cache.ts'

export function listCalls({
  calls,
  played,
}: Pick<ReadEpisode, 'calls' | 'played'>): Pick<EpisodeCalls, 'messages' | 'calls'> {
  const positions = new Map<string, number>()
  const messages: EpisodeCalls['messages'] = []
  const listed = calls.map((call): EpisodeCall => {
    const { messages: shown, ...said } = call.show()
    const prompt = call.prompt.map((digest, index) => {
      const known = positions.get(digest)
      if (known !== undefined) return known
      const message = shown[index]
      if (message === undefined) throw new Error(`The journal lacks the message ${digest} of "${call.key}".`)
      positions.set(digest, messages.length)
      return messages.push(message) - 1
    })
    const node = played === null ? null : placeOf(call, played.tree).node
    return { ...said, at: call.at, elapsed: call.elapsed, node, prompt }
  })
  return { messages, calls: listed }
}
