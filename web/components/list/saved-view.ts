export interface SavedView {
  name: string
  query: string
}

export type SavedViewsByList = Readonly<Record<string, readonly SavedView[]>>

const mostViews = 50
const longestName = 80

// Reads the kept views. Anything else that the browser has under the key is left out.
export function parseViews(text: string | null): SavedViewsByList {
  let kept: unknown
  try {
    kept = JSON.parse(text ?? '{}')
  } catch {
    return {}
  }
  if (typeof kept !== 'object' || kept === null) return {}
  return Object.fromEntries(
    Object.entries(kept).map(([list, views]) => [list, Array.isArray(views) ? views.filter(isView) : []]),
  )
}

function isView(view: unknown): view is SavedView {
  return (
    typeof view === 'object' &&
    view !== null &&
    'name' in view &&
    typeof view.name === 'string' &&
    'query' in view &&
    typeof view.query === 'string'
  )
}

// A view of the same name is replaced; beyond the maximum the oldest is dropped.
export function withView(views: readonly SavedView[], { name, query }: SavedView): SavedView[] {
  const short = name.trim().slice(0, longestName)
  return [...withoutView(views, short), { name: short, query }].slice(-mostViews)
}

export function withoutView(views: readonly SavedView[], name: string): SavedView[] {
  return views.filter((view) => view.name !== name)
}

// The query of the shown view. Runs that are chosen for a comparison are not a part of it.
export function viewQuery(address: URLSearchParams): string {
  const query = new URLSearchParams(address)
  query.delete('chosen')
  return query.toString()
}
