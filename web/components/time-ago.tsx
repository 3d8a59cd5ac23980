import { formatDuration } from '../../shared/core/client/format-quantity.ts'

export function TimeAgo({ at }: { at: string }) {
  const seconds = (Date.now() - Date.parse(at)) / 1000
  const text =
    seconds < 45
      ? 'just now'
      : seconds < 86_400
        ? `${formatDuration(Math.round(seconds / 60) * 60).replace(/ 0 s$/, '')} ago`
        : new Date(at).toLocaleDateString()
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {text}
    </time>
  )
}
