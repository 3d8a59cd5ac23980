import type { NodeDetail } from '../../../shared/contracts/node-detail.ts'
import { LongText } from '../../components/long-text.tsx'
import type { NodePlace } from './node-panel.tsx'
import { ObservedPicture } from './observed-picture.tsx'

/** What the environment showed: texts as text, pictures as pictures. */
export function ObservationParts({ parts, place }: { parts: NodeDetail['observation']; place: NodePlace }) {
  return parts.map((part, position) => {
    const key = `${position}`
    if (part.type === 'text') return <LongText key={key} label="Observation" text={part.text} />
    if (part.url !== null) {
      return (
        <ObservedPicture
          key={key}
          url={part.url}
          mediaType={part.media_type}
          name={`picture ${position + 1} of node ${place.node}`}
        />
      )
    }
    return (
      <p key={key}>
        A part of type {part.media_type} that is not stored: <code>{part.sha256}</code>.
      </p>
    )
  })
}
