import { showControls } from '../format/show-controls.ts'

export function InlineCode({ text }: { text: string }) {
  const parts = showControls(text)
    .split('`')
    .map((part, place) => ({ part, place }))
  // If a backtick has no closing one, show the text unchanged.
  if (parts.length % 2 === 0) return showControls(text)
  return parts.map(({ part, place }) => (place % 2 === 1 ? <code key={place}>{part}</code> : part))
}
