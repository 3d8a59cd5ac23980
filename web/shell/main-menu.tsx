import { Link, useLocation } from 'react-router'
import { type PlaceGroup, placeAt, placeGroups } from './places.ts'
import styles from './shell.module.css'

export function MainMenu() {
  const here = placeAt(useLocation().pathname)
  return (
    <nav className={styles.places} aria-label="Main">
      {placeGroups.map((group) => (
        <Link
          key={group.name}
          to={group.places[0].to}
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

export function GroupMenu() {
  const here = placeAt(useLocation().pathname)
  if (here === undefined || here.group.places.length < 2) return null
  return <PlaceList {...here} />
}

function PlaceList({ group, place }: { group: PlaceGroup; place: { to: string } }) {
  const { pathname } = useLocation()
  return (
    <nav className={styles.within} aria-label={`Pages of ${group.name}`}>
      <div className={styles.withinPlaces}>
        {group.places.map(({ to, name }) => (
          <Link
            key={to}
            to={to}
            className={styles.place}
            aria-current={to !== place.to ? undefined : pathname === to ? 'page' : 'true'}
          >
            {name}
          </Link>
        ))}
      </div>
    </nav>
  )
}
