export interface Place {
  to: string
  name: string
}

export interface PlaceGroup {
  name: string
  key: string
  places: readonly [Place, ...Place[]]
}

export const placeGroups: readonly PlaceGroup[] = [
  {
    name: 'Runs',
    key: 'r',
    places: [
      { to: '/runs', name: 'All runs' },
      { to: '/search', name: 'Search' },
    ],
  },
  {
    name: 'Compare',
    key: 'c',
    places: [
      { to: '/compare', name: 'Compare runs' },
      { to: '/leaderboard', name: 'Leaderboard' },
    ],
  },
  {
    name: 'Data',
    key: 'd',
    places: [
      { to: '/datasets', name: 'Datasets' },
      { to: '/libraries', name: 'Libraries' },
      { to: '/memories', name: 'Memories' },
    ],
  },
  {
    name: 'Models',
    key: 'm',
    places: [
      { to: '/models', name: 'All models' },
      { to: '/trainings', name: 'Trainings' },
      { to: '/rollouts', name: 'Rollouts' },
      { to: '/loops', name: 'Loops' },
      { to: '/endpoints', name: 'Endpoints' },
    ],
  },
  {
    name: 'Environments',
    key: 'e',
    places: [
      { to: '/environments', name: 'Environments' },
      { to: '/workers', name: 'Workers' },
    ],
  },
  { name: 'Guide', key: 'h', places: [{ to: '/guide', name: 'Guide' }] },
]

const strays: Readonly<Record<string, string>> = { '/new-endpoint': '/endpoints', '/graph': '/runs' }

export function placeAt(path: string): { group: PlaceGroup; place: Place } | undefined {
  const address = strays[path] ?? path
  for (const group of placeGroups) {
    const place = group.places.find(({ to }) => address === to || address.startsWith(`${to}/`))
    if (place !== undefined) return { group, place }
  }
  return undefined
}
