import type { CDPSession } from 'playwright-core'
import type { Bounds } from '../../shared/environments/browser/observations/seen-page.ts'

const measure = `function () {
  if (this.nodeType !== Node.TEXT_NODE) return this.getBoundingClientRect().toJSON()
  const range = document.createRange()
  range.selectNode(this)
  return range.getBoundingClientRect().toJSON()
}`

/**
 * The position of a node in the viewport. Undefined for a node without a box, for example a comment or a removed
 * node.
 */
export async function nodeBounds(session: CDPSession, backendNodeId: number): Promise<Bounds | undefined> {
  const found = await session.send('DOM.resolveNode', { backendNodeId }).catch(whereGone)
  const objectId = found?.object.objectId
  if (objectId === undefined) return undefined
  const measured = await session
    .send('Runtime.callFunctionOn', { objectId, functionDeclaration: measure, returnByValue: true })
    .catch(whereGone)
  if (measured === undefined || measured.exceptionDetails !== undefined) return undefined
  const { x, y, width, height } = measured.result.value as Record<'x' | 'y' | 'width' | 'height', number>
  return [x, y, width, height]
}

/** Chromium refuses nodes removed from the page since they were listed. All other errors are the browser's. */
function whereGone(error: unknown): undefined {
  if (
    /No node with given id|Could not (find|compute)|Node .*not (found|belong)|Cannot find context/i.test(
      String(error),
    )
  )
    return undefined
  throw error
}
