import { showControls } from '../format/show-controls.ts'

/** A sentence of the dashboard with names between backticks, as in Markdown: they are shown as code, and all of it as text only. */
export function InlineCode({ text }: { text: string }) {
  const parts = showControls(text)
    .split('`')
    .map((part, place) => ({ part, place }))
  // A backtick without a closing one is shown as it is.
  if (parts.length % 2 === 0) return showControls(text)
  return parts.map(({ part, place }) => (place % 2 === 1 ? <code key={place}>{part}</code> : part))
}
