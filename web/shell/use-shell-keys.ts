import { useLayoutEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { menuGroups } from './menu-pages.ts'

const typing = 'input, select, textarea, dialog, [contenteditable]'

function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest(typing) !== null
}

export function useShellKeys(onPalette: () => void, onHelp: () => void): void {
  const navigate = useNavigate()
  const latest = useRef({ onPalette, onHelp, navigate })
  useLayoutEffect(() => {
    latest.current = { onPalette, onHelp, navigate }
  })
  useLayoutEffect(() => {
    let isGoing = false

    function before(event: KeyboardEvent) {
      const { altKey, ctrlKey, key, metaKey } = event
      if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') {
        if (event.target instanceof Element && event.target.closest('dialog')) return
        latest.current.onPalette()
      } else {
        if (!isGoing || key === 'Shift') return
        isGoing = false
        const group = menuGroups.find((each) => each.key === key)
        if (group === undefined || ctrlKey || metaKey || altKey || isTyping(event)) return
        void latest.current.navigate(group.pages[0].to)
      }
      event.preventDefault()
      event.stopPropagation()
    }

    function after(event: KeyboardEvent) {
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || isTyping(event)) return
      if (event.key === 'g') isGoing = true
      else if (event.key === '?') latest.current.onHelp()
      else if (event.key === '/') document.querySelector<HTMLElement>('main input[type=search]')?.focus()
      else return
      event.preventDefault()
    }

    window.addEventListener('keydown', before, { capture: true })
    window.addEventListener('keydown', after)
    return () => {
      window.removeEventListener('keydown', before, { capture: true })
      window.removeEventListener('keydown', after)
    }
  }, [])
}
