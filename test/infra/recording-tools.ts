import type { Account } from '../../infra/commands/account.ts'
import type { Tools } from '../../infra/commands/tools.ts'
import type { StageFacts } from '../../infra/stage-facts.ts'

export const stageFacts: StageFacts = {
  stage: 'dev',
  region: 'us-east-1',
  api: 'https://api.example.com',
  dashboard: 'https://pages.example.com',
  table: 'the-table',
  bucket: 'the-bucket',
  queues: { episodes: 'https://q/e', alone: 'https://q/a', datasets: 'https://q/d', jobs: 'https://q/j' },
  dead_letters: {
    episodes: 'https://q/ed',
    alone: 'https://q/ad',
    datasets: 'https://q/dd',
    jobs: 'https://q/jd',
  },
}

export function recordingTools(
  options: {
    account?: Partial<Account>
    answer?: string | null
    docker?: boolean
    isArm?: boolean
    cdk?: number
    cdkSays?: string
  } = {},
): { tools: Tools; did: string[]; said: () => string } {
  const did: string[] = []
  const said: string[] = []
  const account: Account = {
    bootstrapped: async () => '123456789012',
    region: async () => 'us-east-1',
    concurrency: async () => 1000,
    stage: async () => stageFacts,
    options: async () => null,
    prepareEcs: async (stage) => void did.push(`prepare ECS for ${stage}`),
    data: async () => ({ bucket: stageFacts.bucket, table: stageFacts.table }),
    async imageBuilds(stage) {
      const project = `espalier-${stage}-images`
      const isDeployed = did.some((line) => line.startsWith(`cdk deploy ${project} `))
      return isDeployed ? { project, repository: 'the-repository' } : null
    },
    async buildImages({ project, repository }) {
      did.push(`build ${project}`)
      return { 'env-host': `${repository}@sha256:${'0'.repeat(64)}` }
    },
    leftovers: async () => ({ buckets: [], tables: [] }),
    stopHosts: async (stage) => void did.push(`stop hosts ${stage}`),
    letHostsStart: async (stage) => void did.push(`let hosts start ${stage}`),
    deleteBucket: async (bucket) => void did.push(`delete bucket ${bucket}`),
    deleteTable: async (table) => void did.push(`delete table ${table}`),
    ...options.account,
  }
  const tools: Tools = {
    note: (text) => void said.push(text),
    ask: async () => options.answer ?? null,
    async cdk(words) {
      did.push(`cdk ${words.join(' ')}`)
      return { code: options.cdk ?? 0, said: options.cdkSays ?? '' }
    },
    hasDocker: async () => options.docker ?? true,
    isArm: options.isArm ?? true,
    account,
  }
  return { tools, did, said: () => said.join('\n') }
}
