import type { AnswerWarning } from '../../shared/contracts/answers.ts'
import { showControls } from '../format/show-controls.ts'
import { Notice } from './notice.tsx'

/** What to know about the answers that figures rest on, and what to change; nothing where there is nothing to say. */
export function AnswerWarnings({ warnings, of }: { warnings: readonly AnswerWarning[]; of?: string }) {
  if (warnings.length === 0) return null
  return (
    <Notice isSpaced tone="warn">
      {warnings.map(({ asked, fault, message }) => (
        <p key={`${asked} ${fault}`} dir="auto">
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
