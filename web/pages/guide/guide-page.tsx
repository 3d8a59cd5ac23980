import { sections } from 'virtual:guide'
import { useParams, useSearchParams } from 'react-router'
import { GuideArticle } from './guide-article.tsx'
import { GuideFindings } from './guide-findings.tsx'
import { GuideNavigation } from './guide-navigation.tsx'
import styles from './guide-page.module.css'
import { UnknownGuidePage } from './unknown-guide-page.tsx'

/** The guide: docs/ as pages, with a search over all of them. */
export function GuidePage() {
  const names = sections.flatMap(({ pages }) => pages.map(({ name }) => name))
  const { page: name = names[0] ?? '' } = useParams()
  const [search, setSearch] = useSearchParams()
  const query = search.get('q') ?? ''

  function searchFor(words: string) {
    setSearch(words === '' ? {} : { q: words }, { replace: true })
  }

  return (
    <div className={styles.guide}>
      <GuideNavigation current={query === '' ? name : null} query={query} onSearch={searchFor} />
      {query !== '' ? (
        <GuideFindings query={query} />
      ) : names.includes(name) ? (
        <GuideArticle key={name} name={name} />
      ) : (
        <UnknownGuidePage name={name} />
      )}
    </div>
  )
}
