import { useCallback, useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { isLeaving } from '../../service/leaving.ts'
import { type Colour, colours } from '../../tree/colouring.ts'

export const views = ['map', 'outline', 'conversation', 'waterfall'] as const
export type View = (typeof views)[number]

interface ExplorerChoice {
  view: View
  node: number | null
  step: number | null
  find: string
  colour: Colour
}

/**
 * Milliseconds for which a choice must stay unchanged before it enters the address. Browsers block an address that
 * changes continuously.
 */
const settled = 250

export function useExplorerAddress(): [ExplorerChoice, (change: Partial<ExplorerChoice>) => void] {
  const [params, setParams] = useSearchParams()
  const { pathname } = useLocation()
  const address = params.toString()
  const [choice, setChoice] = useState(() => readChoice(params))
  const [seen, setSeen] = useState(address)
  const [written, setWritten] = useState<string | null>(null)

  // The page's own address change arrives once. Any other change comes from a link or from going back.
  if (address !== seen) {
    setSeen(address)
    setWritten(null)
    if (address !== written) setChoice(readChoice(params))
  }

  useEffect(() => {
    const next = writeChoice(params, choice)
    if (next.toString() === params.toString()) return
    const timer = setTimeout(() => {
      if (isLeaving(pathname)) return
      setWritten(next.toString())
      setParams(next, { replace: true, preventScrollReset: true })
    }, settled)
    return () => clearTimeout(timer)
  }, [choice, params, pathname, setParams])

  const change = useCallback(
    (part: Partial<ExplorerChoice>) => setChoice((before) => ({ ...before, ...part })),
    [],
  )
  return [choice, change]
}

export function readChoice(params: URLSearchParams): ExplorerChoice {
  return {
    view: views.find((view) => view === params.get('view')) ?? 'map',
    node: readCount(params.get('node')),
    step: readCount(params.get('step')),
    find: params.get('find') ?? '',
    colour: colours.find((colour) => colour === params.get('colour')) ?? 'value',
  }
}

export function writeChoice(
  params: URLSearchParams,
  { view, node, step, find, colour }: ExplorerChoice,
): URLSearchParams {
  const next = new URLSearchParams(params)
  const write = (name: string, value: string | null) =>
    value === null ? next.delete(name) : next.set(name, value)
  write('view', view === 'map' ? null : view)
  write('node', node === null ? null : String(node))
  write('step', step === null ? null : String(step))
  write('find', find === '' ? null : find)
  write('colour', colour === 'value' ? null : colour)
  return next
}

function readCount(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null
}
