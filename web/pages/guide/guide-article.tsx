import { pages, sections } from 'virtual:guide'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { GuideContent } from './guide-content.tsx'
import { guideNeighbours } from './guide-neighbours.ts'
import styles from './guide-page.module.css'
import type { GuideHeading, GuidePageContent } from './guide-types.ts'

export function GuideArticle({ name }: { name: string }) {
  const query = useQuery({
    queryKey: ['guide', name],
    queryFn: async () => (await pages[name]?.())?.page ?? Promise.reject(new Error(`No page ${name}.`)),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Loaded what="the page of the guide" query={query}>
      {(page) => <Article page={page} />}
    </Loaded>
  )
}

function Article({ page }: { page: GuidePageContent }) {
  const { previous, next } = guideNeighbours(sections, page.name)

  useScrollToHash()

  return (
    <article className={styles.article}>
      <PageHeader title={page.title} tab={`${page.title}, guide`} />
      <OnThisPage headings={page.headings} />
      <div className={styles.articleText}>
        <GuideContent nodes={page.nodes} />
        <nav className={styles.articleNeighbours} aria-label="Pages before and after">
          {previous && (
            <Link to={`/guide/${previous.name}`} rel="prev">
              <span>Before</span> {previous.title}
            </Link>
          )}
          {next && (
            <Link to={`/guide/${next.name}`} rel="next" className={styles.articleNext}>
              <span>Next</span> {next.title}
            </Link>
          )}
        </nav>
      </div>
    </article>
  )
}

function OnThisPage({ headings }: { headings: GuideHeading[] }) {
  return (
    <nav aria-label="On this page" className={styles.onThisPage}>
      {headings.length > 1 && (
        <>
          <p className={styles.onThisPageTitle}>On this page</p>
          <ul>
            {headings.map(({ id, text, level }) => (
              <li key={id} className={level === 3 ? styles.onThisPageDeeper : undefined}>
                <Link to={`#${id}`}>{text}</Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </nav>
  )
}

/**
 * Scrolls to the address's hash. The browser cannot, because the page's text loads after the navigation. Following
 * the same link twice scrolls twice.
 */
function useScrollToHash(): void {
  const location = useLocation()
  useEffect(() => {
    const { hash } = location
    if (hash === '') return
    document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView()
  }, [location])
}
