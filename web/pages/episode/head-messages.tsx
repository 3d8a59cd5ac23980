import { formatBytes } from '../../../shared/core/client/format-quantity.ts'
import type { Tree } from '../../../shared/core/contracts/tree.ts'
import { ForeignText } from '../../components/foreign-text.tsx'
import { PanelPart } from './panel-part.tsx'

/** Messages up to this many characters are initially open, because they do not fill the screen. */
const mostOpen = 1500

export function HeadMessages({ messages }: Pick<Tree, 'messages'>) {
  return messages.map(({ role, content }, position) => {
    const key = `head-${position}`
    return (
      <PanelPart
        key={key}
        title={role}
        note={`before the first action, ${formatBytes(content.length)}`}
        isOpen={content.length <= mostOpen}
      >
        <ForeignText text={content} />
      </PanelPart>
    )
  })
}
