import { EspalierError } from '../../../core/contracts/errors.ts'
import type { Message } from '../../../core/contracts/message.ts'
import type { Picture, SentPicture } from '../../../core/contracts/picture.ts'
import type { RunRequest } from '../../../core/contracts/run.ts'
import type { PictureStore } from '../../../core/pictures/picture-store.ts'
import { definePrompt } from '../../search/prompt-template.ts'

export const fewShotPrompt = definePrompt({
  id: 'few-shot',
  purpose: 'Ends the system text of an agent with few-shot turns.',
  text: 'The first {{count}} turns below are examples of other tasks.',
})

/**
 * Stores the pictures of a run's few-shot turns, and names them by their digests.
 * @throws EspalierError `invalid_request` with the turn: turns out of order, bytes that are no picture,
 * or a method without such turns
 */
export async function settleExamples(
  { examples, method }: Pick<RunRequest, 'examples' | 'method'>,
  prompts: readonly { id: string }[],
  store: PictureStore,
): Promise<Pick<RunRequest, 'examples'>> {
  if (examples === undefined) return {}
  if (prompts.every(({ id }) => id !== fewShotPrompt.id)) {
    throw new EspalierError(
      'invalid_request',
      `"${method.id}" shows no few-shot turns. Leave examples out, or choose a method whose agent acts step by step.`,
      { param: 'examples' },
    )
  }
  const wrong = examples.findIndex(({ role }, at) => role !== (at % 2 === 0 ? 'user' : 'assistant'))
  const odd = wrong < 0 && examples.length % 2 === 1 ? examples.length - 1 : wrong
  if (odd >= 0) {
    throw refuse(odd, 'Turns of the user and the assistant take turns: the user begins, the assistant ends.')
  }
  const keep = async (picture: Picture | SentPicture, at: number): Promise<Picture> => {
    if ('sha256' in picture) return picture
    try {
      return await store.put(picture)
    } catch (error) {
      if (!EspalierError.isInstance(error) || error.code !== 'environment_failed') throw error
      throw refuse(at, error.message.replace('The environment showed', 'It has'), error)
    }
  }
  const settled = await Promise.all(
    examples.map(async ({ pictures, ...turn }, at) =>
      pictures === undefined
        ? turn
        : { ...turn, pictures: await Promise.all(pictures.map((picture) => keep(picture, at))) },
    ),
  )
  return { examples: settled }
}

function refuse(at: number, message: string, cause?: unknown): EspalierError {
  return new EspalierError('invalid_request', message, { param: `examples[${at}]`, cause })
}

export function fewShotTurns(examples: NonNullable<RunRequest['examples']>): Message[] {
  return examples.map(({ pictures = [], ...turn }) => {
    const stored = pictures.filter((picture) => 'sha256' in picture)
    return stored.length === 0 ? turn : { ...turn, pictures: stored }
  })
}
