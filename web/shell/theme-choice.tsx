import { Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../components/icon-button.tsx'

const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const icons = { system: Monitor, light: Sun, dark: Moon }
const names = { system: 'as the system', light: 'light', dark: 'dark' }
const key = 'espalier-theme'

/** Cycles through the themes. The browser stores the choice; public/theme.js applies it before the first paint. */
export function ThemeChoice() {
  const [theme, setTheme] = useState<Theme>(readTheme)
  const Icon = icons[theme]

  function choose() {
    const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
    if (next === 'system') {
      localStorage.removeItem(key)
      delete document.documentElement.dataset.theme
    } else {
      localStorage.setItem(key, next)
      document.documentElement.dataset.theme = next
    }
    setTheme(next)
  }

  return (
    <IconButton label={`Theme: ${names[theme]}. Change it`} onClick={choose}>
      <Icon size={18} aria-hidden />
    </IconButton>
  )
}

function readTheme(): Theme {
  const stored = localStorage.getItem(key)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}
