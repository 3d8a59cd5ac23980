import type { Message } from '../../../core/contracts/message.ts'
import { createRandom } from '../../../core/random/random.ts'
import { type Sample, type SimulatedSettings, seedOf } from '../simulated-policy.ts'
import { describePicture } from './describe-picture.ts'
import { readPicture } from './read-picture.ts'

const asking = /^(?:Describe this picture\b|Q: .* A:$)/

export function answerAboutPicture(
  messages: readonly Message[],
  pictures: readonly string[],
  settings: SimulatedSettings,
  sample: Sample,
): string | null {
  const [address = ''] = pictures
  const text = messages.at(-1)?.content.trim() ?? ''
  const [, data] = /^data:image\/png;base64,(.+)$/.exec(address) ?? []
  if (data === undefined || !asking.test(text)) return null
  const picture = readPicture(Buffer.from(data, 'base64'))
  return picture === null
    ? null
    : describePicture(
        picture,
        settings.skill,
        createRandom(seedOf([...messages, { role: 'user', content: data }], settings, sample)),
      )
}
