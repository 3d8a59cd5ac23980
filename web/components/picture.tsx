import { useState } from 'react'
import { Dialog } from './dialog.tsx'
import styles from './picture.module.css'

export interface AddressedPicture {
  url: string | null
  media_type: string
  sha256: string
}

export function PictureRow({ pictures, of }: { pictures: readonly AddressedPicture[]; of: string }) {
  return (
    <div className={styles.pictures}>
      {pictures.map(({ url, media_type, sha256 }, position) => {
        const key = `${position}-${sha256}`
        const name = `picture ${position + 1} of ${of}`
        return <Picture key={key} url={url} mediaType={media_type} sha256={sha256} name={name} />
      })}
    </div>
  )
}

export function Picture({
  url,
  mediaType,
  sha256,
  name,
}: {
  url: string | null
  mediaType: string
  sha256: string
  name: string
}) {
  const [isLarge, setLarge] = useState(false)
  if (url === null) {
    return (
      <p>
        A part of type {mediaType} that is not stored: <code>{sha256}</code>.
      </p>
    )
  }
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
