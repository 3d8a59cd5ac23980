/** Where a link in the guide leads: to one of its pages, elsewhere in the web, or to a file that only the repository has. */
type GuideLink =
  | { kind: 'page'; page: string; anchor: string | null }
  | { kind: 'web'; address: string }
  | { kind: 'file'; path: string }

/**
 * Reads the target of a link in `docs/{page}.md`.
 *
 * @example
 * guideLink('methods', 'datasets.md#gates') // { kind: 'page', page: 'datasets', anchor: 'gates' }
 * guideLink('methods', '../README.md') // { kind: 'file', path: 'README.md' }
 * guideLink('architecture', 'decisions/README.md') // { kind: 'file', path: 'docs/decisions/README.md' }
 */
export function guideLink(page: string, target: string): GuideLink {
  if (/^https:\/\//.test(target)) return { kind: 'web', address: target }
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) throw new Error(`docs/${page}.md links to ${target}: only https.`)
  const [path = '', anchor] = target.split('#')
  if (path === '') return { kind: 'page', page, anchor: anchor ?? null }
  const name = /^([a-z0-9-]+)\.md$/.exec(path)?.[1]
  if (name !== undefined) return { kind: 'page', page: name, anchor: anchor ?? null }
  return { kind: 'file', path: path.startsWith('../') ? path.slice('../'.length) : `docs/${path}` }
}
