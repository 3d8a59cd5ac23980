export interface MenuPage {
  to: string
  name: string
}

export interface MenuGroup {
  name: string
  key: string
  pages: readonly [MenuPage, ...MenuPage[]]
}

export const menuGroups: readonly MenuGroup[] = [
  {
    name: 'Runs',
    key: 'r',
    pages: [
      { to: '/runs', name: 'All runs' },
      { to: '/search', name: 'Search' },
    ],
  },
  {
    name: 'Compare',
    key: 'c',
    pages: [
      { to: '/compare', name: 'Compare runs' },
      { to: '/leaderboard', name: 'Leaderboard' },
    ],
  },
  {
    name: 'Data',
    key: 'd',
    pages: [
      { to: '/datasets', name: 'Datasets' },
      { to: '/libraries', name: 'Libraries' },
      { to: '/memories', name: 'Memories' },
    ],
  },
  {
    name: 'Models',
    key: 'm',
    pages: [
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
    pages: [
      { to: '/environments', name: 'Environments' },
      { to: '/workers', name: 'Workers' },
    ],
  },
  { name: 'Guide', key: 'h', pages: [{ to: '/guide', name: 'Guide' }] },
]

const strays: Readonly<Record<string, string>> = { '/new-endpoint': '/endpoints', '/graph': '/runs' }

export function findMenuPage(path: string): { group: MenuGroup; page: MenuPage } | undefined {
  const address = strays[path] ?? path
  for (const group of menuGroups) {
    const page = group.pages.find(({ to }) => address === to || address.startsWith(`${to}/`))
    if (page !== undefined) return { group, page }
  }
  return undefined
}
