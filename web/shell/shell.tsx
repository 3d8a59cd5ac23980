import { Suspense, useRef } from 'react'
import { NavLink, Outlet, ScrollRestoration, useNavigation } from 'react-router'
import { LoadingState } from '../components/loading-state.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import { KeyMenu } from './key-menu.tsx'
import styles from './shell.module.css'
import { ThemeChoice } from './theme-choice.tsx'
import { useFocusOnPage } from './use-focus-on-page.ts'

const places = [
  { to: '/runs', name: 'Runs' },
  { to: '/compare', name: 'Compare' },
  { to: '/datasets', name: 'Datasets' },
  { to: '/libraries', name: 'Libraries' },
  { to: '/memories', name: 'Memories' },
  { to: '/guide', name: 'Guide' },
]

/** The frame of every page. */
export function Shell() {
  const page = useRef<HTMLElement>(null)
  useFocusOnPage(page)
  const isLeaving = useNavigation().state === 'loading'
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
          <nav className={styles.places} aria-label="Main">
            {places.map(({ to, name }) => (
              <NavLink key={to} to={to} className={styles.place ?? ''}>
                {name}
              </NavLink>
            ))}
          </nav>
          <div className={styles.tools}>
            <a href="/docs" className={styles.place}>
              API
            </a>
            <KeyMenu />
            <ThemeChoice />
          </div>
        </div>
      </header>
      <ConnectionNotice />
      <main ref={page} id="page" tabIndex={-1} className={styles.page} aria-busy={isLeaving}>
        <Suspense fallback={<LoadingState what="the page" />}>
          <Outlet />
        </Suspense>
      </main>
      <ScrollRestoration />
    </>
  )
}
