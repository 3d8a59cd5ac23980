import type { RowMessage } from '../../core/contracts/dataset-row.ts'
import type { Message, Observation } from '../../core/contracts/message.ts'
import type { Tree } from '../../core/contracts/tree.ts'
import { contentOf } from '../../play/search/conversation.ts'
import { usualPictures } from '../../play/search/newest-pictures.ts'
import type { AttemptFacts } from './attempt.ts'
import type { KindScope } from './kind.ts'

/**
 * Number of newest pictures in each prompt of an attempt. `null`: pictures are not requested, and a path that showed
 * some cannot be rendered.
 */
export type SeenPictures = number | null

export function seenPictures(
  { max_pictures = usualPictures }: Pick<AttemptFacts, 'max_pictures'>,
  { pictures }: Pick<KindScope, 'pictures'>,
): SeenPictures {
  return pictures === undefined && max_pictures > 0 ? null : max_pictures
}

export function seenOf(
  observation: Observation,
  seen: SeenPictures,
): Pick<Message, 'content' | 'pictures'> | null {
  const { content, pictures } = contentOf(observation)
  if (pictures === undefined || seen === 0) return { content }
  return seen === null ? null : { content, pictures }
}

/**
 * The messages before the first action, with the pictures of the first observation, which the last of them shows:
 * trees store only the texts of these messages.
 *
 * @returns null if it shows pictures, which are not requested
 */
export function seenHead(
  { messages, nodes }: Pick<Tree, 'messages' | 'nodes'>,
  seen: SeenPictures,
): RowMessage[] | null {
  const shown = seenOf(nodes[0]?.observation ?? [], seen)
  if (shown === null) return null
  const { pictures } = shown
  const last = messages.findLastIndex(({ role }) => role === 'user')
  return messages.map(({ role, content, reasoning }, index) => ({
    role,
    content,
    ...(reasoning && { reasoning }),
    ...(index === last && pictures !== undefined && { pictures }),
  }))
}
