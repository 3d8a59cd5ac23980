import type { Message } from '../contracts/message.ts'

/** Pictures of a prompt where nothing else is said: VisualWebArena's and OSWorld's agents show as many screenshots at most. */
export const usualPictures = 4

/** The same messages, with no pictures but the last so many of all. */
export function withNewestPictures<Turn extends Message>(messages: readonly Turn[], most: number): Turn[] {
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

/** The message as a text alone. */
export function withoutPictures<Turn extends Message>(message: Turn): Turn {
  const text = { ...message }
  delete text.pictures
  return text
}

/** How many pictures messages show in all. */
export function countPictures(messages: readonly Message[]): number {
  return messages.reduce((sum, { pictures = [] }) => sum + pictures.length, 0)
}
