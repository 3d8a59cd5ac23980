import type { PromptMessage } from '../../core/contracts/message.ts'

/** Default number of pictures in a prompt: the maximum of ExACT's agents, in browsers and on desktops. */
export const usualPictures = 4

export function withNewestPictures<Turn extends PromptMessage>(
  messages: readonly Turn[],
  most: number,
): Turn[] {
  let left = most
  const shown = messages.toReversed().map((message): Turn => {
    if (message.pictures === undefined || message.pictures.length <= left) {
      left -= message.pictures?.length ?? 0
      return message
    }
    const newest = left === 0 ? [] : message.pictures.slice(-left)
    left = 0
    return newest.length === 0 ? withoutPictures(message) : { ...message, pictures: newest }
  })
  return shown.reverse()
}

export function withoutPictures<Turn extends PromptMessage>(message: Turn): Turn {
  const text = { ...message }
  delete text.pictures
  return text
}

export function countPictures(messages: readonly PromptMessage[]): number {
  return messages.reduce((sum, { pictures = [] }) => sum + pictures.length, 0)
}
