import { useState } from 'react'
import { saveBlob } from '../service/save-text.ts'
import { type Drawing, fileNameOf, toPng } from './drawing.ts'
import styles from './drawing-buttons.module.css'

export function DrawingButtons({ title, draw }: { title: string; draw: () => Drawing | null }) {
  const [error, setError] = useState<string | null>(null)
  async function save(format: 'svg' | 'png') {
    setError(null)
    try {
      const drawing = draw()
      if (drawing === null) throw new Error('Nothing is drawn yet.')
      const file =
        format === 'png' ? await toPng(drawing) : new Blob([drawing.svg], { type: 'image/svg+xml' })
      saveBlob(`${fileNameOf(title)}.${format}`, file)
    } catch (problem) {
      setError(problem instanceof Error ? problem.message : String(problem))
    }
  }
  return (
    <span className={styles.drawingButtons} data-undrawn>
      {error !== null && <span role="alert">Not saved: {error}</span>}
      {(['svg', 'png'] as const).map((format) => (
        <button
          key={format}
          type="button"
          className={styles.drawingButton}
          aria-label={`Save “${title}” as ${format.toUpperCase()}`}
          onClick={() => void save(format)}
        >
          {format.toUpperCase()}
        </button>
      ))}
    </span>
  )
}
