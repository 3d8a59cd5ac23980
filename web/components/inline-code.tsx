import { showControls } from '../format/show-controls.ts'

/** A sentence of ours in which names stand between back ticks, as in Markdown: they are shown as code, and all of it as text only. */
export function InlineCode({ text }: { text: string }) {
  const parts = showControls(text)
    .split('`')
    .map((part, place) => ({ part, place }))
  // A tick that none closes stands for itself.
  if (parts.length % 2 === 0) return showControls(text)
  return parts.map(({ part, place }) => (place % 2 === 1 ? <code key={place}>{part}</code> : part))
}
