import type { CDPSession } from 'playwright-core'
import type { Bounds } from '../../shared/environments/browser/observations/seen-page.ts'

const measure = `function () {
  if (this.nodeType !== Node.TEXT_NODE) return this.getBoundingClientRect().toJSON()
  const range = document.createRange()
  range.selectNode(this)
  return range.getBoundingClientRect().toJSON()
}`

export type FindBox = (backendNodeId: number) => Promise<Bounds | undefined>

const measureAll = `(() => {
  const found = []
  const range = document.createRange()
  const visit = (node) => {
    const isText = node.nodeType === Node.TEXT_NODE
    if (isText) range.selectNode(node)
    const box = isText ? range.getBoundingClientRect() : node.nodeType === Node.ELEMENT_NODE ? node.getBoundingClientRect() : null
    found.push([node.nodeType, node.nodeName, box && [box.x, box.y, box.width, box.height]])
    for (let child = node.firstChild; child !== null; child = child.nextSibling) visit(child)
  }
  visit(document)
  return found
})()`

/**
 * Measures a whole page with two calls: a snapshot lists the nodes, and a script measures them. If the two lists
 * differ, and for nodes invisible to scripts, for example the text inside a field, each node is measured separately.
 */
export async function measurePage(session: CDPSession): Promise<FindBox> {
  const [snapshot, { result }] = await Promise.all([
    takeSnapshot(session),
    session.send('Runtime.evaluate', { expression: measureAll, returnByValue: true }),
  ])
  const nodes = nodesOf(snapshot)
  const measured = (result.value ?? []) as [type: number, name: string, box: Bounds | null][]
  const isSame =
    nodes.length === measured.length &&
    nodes.every(({ type, name }, at) => type === measured[at]?.[0] && name === measured[at]?.[1])
  const boxes = new Map(isSame ? nodes.map(({ id }, at) => [id, measured[at]?.[2] ?? undefined]) : [])
  return async (id) => (boxes.has(id) ? boxes.get(id) : nodeBounds(session, id))
}

function takeSnapshot(session: CDPSession) {
  return session.send('DOMSnapshot.captureSnapshot', { computedStyles: [] })
}

/** The nodes of the main document visible to its scripts: without shadow trees and pseudo elements. */
function nodesOf({
  strings,
  documents,
}: Awaited<ReturnType<typeof takeSnapshot>>): { id: number; type: number; name: string }[] {
  const {
    nodeType = [],
    nodeName = [],
    backendNodeId = [],
    parentIndex = [],
    pseudoType,
    shadowRootType,
  } = documents[0]?.nodes ?? {}
  const hidden = new Set([...(pseudoType?.index ?? []), ...(shadowRootType?.index ?? [])])
  return backendNodeId.flatMap((id, at) => {
    if (hidden.has(parentIndex[at] ?? -1)) hidden.add(at)
    return hidden.has(at) ? [] : [{ id, type: nodeType[at] ?? 0, name: strings[nodeName[at] ?? -1] ?? '' }]
  })
}

async function nodeBounds(session: CDPSession, backendNodeId: number): Promise<Bounds | undefined> {
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
