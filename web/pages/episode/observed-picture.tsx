import { useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import styles from './node-panel.module.css'

/** A picture that an environment showed; a click enlarges it. What is no picture is offered as a file. */
export function ObservedPicture({ url, mediaType, name }: { url: string; mediaType: string; name: string }) {
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
