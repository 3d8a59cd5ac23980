import { useState } from 'react'
import type { NodeDetail } from '../../../shared/contracts/node-detail.ts'
import { Dialog } from '../../components/dialog.tsx'
import { LongText } from '../../components/long-text.tsx'
import styles from './node-panel.module.css'
import type { NodePlace } from './node-panel.tsx'

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

/** A picture that an environment showed; a click enlarges it. What is no picture is offered as a file. */
function ObservedPicture({ url, mediaType, name }: { url: string; mediaType: string; name: string }) {
  const [isLarge, setLarge] = useState(false)
  if (!mediaType.startsWith('image/') || !/^(https?:|\/)/.test(url)) {
    return (
      <p>
        {name}, {mediaType}: not a picture that can be shown.
      </p>
    )
  }
  const alt = `What the environment showed: ${name}`
  return (
    <>
      <button
        type="button"
        className={styles.pictureOpen}
        aria-label={`Enlarge ${name}`}
        onClick={() => setLarge(true)}
      >
        <img src={url} alt={alt} className={styles.pictureSmall} loading="lazy" />
      </button>
      <Dialog title={name} isOpen={isLarge} onClose={() => setLarge(false)}>
        <img src={url} alt={alt} className={styles.pictureLarge} />
      </Dialog>
    </>
  )
}
