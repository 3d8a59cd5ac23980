import type { AnswerWarning } from '../../shared/core/contracts/answers.ts'
import { showControls } from '../format/show-controls.ts'
import { Notice } from './notice.tsx'

export function AnswerWarnings({
  warnings,
  of,
}: {
  warnings: readonly Pick<AnswerWarning, 'message'>[]
  of?: string
}) {
  if (warnings.length === 0) return null
  return (
    <Notice isSpaced tone="warn">
      {warnings.map(({ message }) => (
        <p key={message} dir="auto">
          {of !== undefined && (
            <>
              <bdi>{showControls(of)}</bdi>:{' '}
            </>
          )}
          {showControls(message)}
        </p>
      ))}
    </Notice>
  )
}
