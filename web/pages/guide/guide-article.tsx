import { pages, sections } from 'virtual:guide'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { GuideContent } from './guide-content.tsx'
import { guideNeighbours } from './guide-neighbours.ts'
import styles from './guide-page.module.css'
import type { GuidePageContent } from './guide-types.ts'
import { OnThisPage } from './on-this-page.tsx'
import { useScrollToHash } from './use-scroll-to-hash.ts'

/** One page of the guide, which is loaded when it is read. */
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
