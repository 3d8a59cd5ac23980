import { KeyRound, Monitor, Moon, Search as SearchIcon, Sun } from 'lucide-react'
import { type RefObject, Suspense, useLayoutEffect, useRef, useState } from 'react'
import {
  Link,
  NavigationType,
  NavLink,
  Outlet,
  ScrollRestoration,
  useLocation,
  useNavigation,
  useNavigationType,
} from 'react-router'
import { Dialog } from '../components/dialog.tsx'
import { IconButton } from '../components/icon-button.tsx'
import { KeyForm } from '../components/key-form.tsx'
import { type KeyRow, KeysTable } from '../components/keys-table.tsx'
import { LoadingState } from '../components/loading-state.tsx'
import { connection } from '../service/connection.ts'
import { sessionKey } from '../service/session-key.ts'
import { useStore } from '../service/store.ts'
import { CommandPalette } from './command-palette.tsx'
import { findMenuPage, type MenuGroup, menuGroups } from './menu-pages.ts'
import styles from './shell.module.css'
import { useShellKeys } from './use-shell-keys.ts'

const themes = ['system', 'light', 'dark'] as const

const icons = { system: Monitor, light: Sun, dark: Moon }
const names = { system: 'as the system', light: 'light', dark: 'dark' }
const key = 'espalier-theme'

const keys: readonly KeyRow[] = [
  [['Ctrl K', '⌘ K'], 'find a page, a run, an episode or an action'],
  ...menuGroups.map(({ name, key }): KeyRow => [['g', key], `go to ${name}`]),
  [['/'], 'to the search field of the page'],
  [['?'], 'these keys; in a tree, its own'],
]

type Opened = 'palette' | 'keys' | null

export function Shell() {
  const page = useRef<HTMLElement>(null)
  useFocusOnPage(page)
  const isLeaving = useNavigation().state === 'loading'
  const [opened, setOpened] = useState<Opened>(null)
  const close = () => setOpened(null)
  useShellKeys(
    () => setOpened('palette'),
    () => setOpened('keys'),
  )
  return (
    <>
      <a className={styles.skip} href="#page">
        Skip to the page
      </a>
      <header className={styles.header}>
        <div className={styles.bar}>
          <NavLink to="/runs" className={styles.brand ?? ''} aria-label="Espalier, to the runs">
            <img src="/icon.svg" alt="" width="24" height="24" />
            Espalier
          </NavLink>
          <MainMenu />
          <div className={styles.tools}>
            <button
              type="button"
              className={styles.opener}
              aria-keyshortcuts="Control+K Meta+K"
              onClick={() => setOpened('palette')}
            >
              <SearchIcon size={16} aria-hidden />
              <span>Go to …</span>
              <kbd aria-hidden>Ctrl K</kbd>
            </button>
            <a href="/docs" className={styles.place}>
              API
            </a>
            <KeyMenu />
            <ThemeChoice />
          </div>
        </div>
      </header>
      <GroupMenu />
      <ConnectionNotice />
      <main ref={page} id="page" tabIndex={-1} className={styles.page} aria-busy={isLeaving}>
        <Suspense fallback={<LoadingState what="the page" />}>
          <Outlet />
        </Suspense>
      </main>
      <ScrollRestoration />
      <CommandPalette isOpen={opened === 'palette'} onClose={close} />
      <Dialog title="Keys" isOpen={opened === 'keys'} onClose={close}>
        <KeysTable label="Keys of every page" rows={keys} />
      </Dialog>
    </>
  )
}

function ConnectionNotice() {
  const isLost = useStore(connection) === 'lost'
  return (
    <div role="status" className={styles.connectionPlace}>
      {isLost && (
        <p className={styles.connectionNotice}>
          The service does not answer. What you see may be outdated; the page updates as soon as the service
          answers.
        </p>
      )}
    </div>
  )
}

function KeyMenu() {
  const key = useStore(sessionKey)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton
        label={key === null ? 'API key: none. Enter one' : 'API key: set. Change it'}
        onClick={() => setOpen(true)}
        isMarked={key !== null}
      >
        <KeyRound size={18} aria-hidden />
      </IconButton>
      <Dialog title="API key" isOpen={isOpen} onClose={() => setOpen(false)}>
        <KeyForm onDone={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

/**
 * Focuses a new page if the focused element disappeared with the previous page, such as the link to it. The next Tab
 * then enters the page, and a screen reader starts reading it.
 */
function useFocusOnPage(page: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation()
  const isRedirected = useNavigationType() === NavigationType.Replace
  const shown = useRef(pathname)
  useLayoutEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (!isRedirected && document.activeElement === document.body) {
      page.current?.focus({ preventScroll: true })
    }
  }, [page, pathname, isRedirected])
}

type Theme = (typeof themes)[number]

/** Cycles through the themes. The browser stores the choice; public/theme.js applies it before the first paint. */
function ThemeChoice() {
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

function MainMenu() {
  const here = findMenuPage(useLocation().pathname)
  return (
    <nav className={styles.places} aria-label="Main">
      {menuGroups.map((group) => (
        <Link
          key={group.name}
          to={group.pages[0].to}
          className={styles.place}
          aria-current={here?.group === group ? 'true' : undefined}
          aria-keyshortcuts={`g ${group.key}`}
        >
          {group.name}
        </Link>
      ))}
    </nav>
  )
}

function GroupMenu() {
  const here = findMenuPage(useLocation().pathname)
  if (here === undefined || here.group.pages.length < 2) return null
  return <PageList {...here} />
}

function PageList({ group, page }: { group: MenuGroup; page: { to: string } }) {
  const { pathname } = useLocation()
  return (
    <nav className={styles.within} aria-label={`Pages of ${group.name}`}>
      <div className={styles.withinPlaces}>
        {group.pages.map(({ to, name }) => (
          <Link
            key={to}
            to={to}
            className={styles.place}
            aria-current={to !== page.to ? undefined : pathname === to ? 'page' : 'true'}
          >
            {name}
          </Link>
        ))}
      </div>
    </nav>
  )
}
