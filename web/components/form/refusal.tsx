import { ApiError } from '../../../shared/core/client/api-error.ts'
import { showControls } from '../../format/show-controls.ts'
import { messageOf } from '../error-state.tsx'
import { InlineCode } from '../inline-code.tsx'
import { Notice } from '../notice.tsx'

export function Refusal({ error }: { error: unknown }) {
  const param = error instanceof ApiError ? error.param : null
  return (
    <div role="alert">
      <Notice tone="bad">
        {param !== null && <code>{showControls(param)}</code>}
        <span dir="auto">
          <InlineCode text={messageOf(error)} />
        </span>
      </Notice>
    </div>
  )
}
