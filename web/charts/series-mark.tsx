import { seriesStyle } from './series-style.ts'

export function SeriesMark({ index }: { index: number }) {
  const { colour, outline } = seriesStyle(index)
  return (
    <svg width="14" height="14" viewBox="-7 -7 14 14" aria-hidden="true" style={{ flex: 'none' }}>
      <path d={outline(58)} style={{ fill: colour }} />
    </svg>
  )
}
