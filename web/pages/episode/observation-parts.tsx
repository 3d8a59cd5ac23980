import type { NodeDetail } from '../../../shared/core/contracts/node-detail.ts'
import { LongText } from '../../components/long-text.tsx'
import { Picture } from '../../components/picture.tsx'
import type { NodePlace } from './node-panel.tsx'

export function ObservationParts({ parts, place }: { parts: NodeDetail['observation']; place: NodePlace }) {
  return parts.map((part, position) => {
    const key = `${position}`
    if (part.type === 'text') return <LongText key={key} label="Observation" text={part.text} />
    const { url, media_type, sha256 } = part
    const name = `picture ${position + 1} of node ${place.node}`
    return <Picture key={key} url={url} mediaType={media_type} sha256={sha256} name={name} />
  })
}
